import type { SignedInCaller } from "../../../domain/caller.ts";
import { invalid } from "../../../domain/failure.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { growStatistics, type StorageOwner } from "../../core/namespaces/index.ts";
import type { Submission } from "../../core/spam/index.ts";
import { commitEmail, getUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { SnippetRecord } from "./records.ts";

const lengthMax = { title: 255, description: 1_048_576 };

/** Checks the texts that are given for a snippet. Throws 400. */
export function requireValidTexts({ title = "", description = "" }: { title?: string; description?: string }): void {
  const errors = {
    ...(title.length > lengthMax.title ? { title: [tooLong(lengthMax.title)] } : {}),
    ...(exceedsLength(description, lengthMax.description) ? { description: [tooLong(lengthMax.description)] } : {}),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

function tooLong(max: number): string {
  return `is too long (maximum is ${max} characters)`;
}

/** The fields of a snippet that the spam check judges, and those that decide whether it does. */
export type Writing = Pick<SnippetRecord, "project_id" | "title" | "description" | "visibility"> & {
  readonly texts: readonly string[];
};

/** Returns the texts for the spam check (spam-and-captcha, "Where it applies"); undefined: no new public text. */
export function submissionOf(before: Writing | undefined, after: Writing): Submission | undefined {
  if (after.visibility !== "public") return undefined;
  const text = textOf(after);
  const isKnown = before?.visibility === "public" && before.title === after.title && textOf(before) === text;
  if (isKnown) return undefined;
  const noteable_type = after.project_id === null ? "PersonalSnippet" : "ProjectSnippet";
  return { noteable_type, title: after.title, text };
}

function textOf({ description, texts }: Writing): string {
  return [description ?? "", ...texts].join("\n");
}

/** Returns the author and the time of a commit to a snippet. */
export function signatureOf({ store, clock }: Context, { user }: SignedInCaller, baseUrl: string) {
  const email = commitEmail(getUser(store, user.id), baseUrl);
  return { name: user.name, email, timestamp: Math.floor(clock.now() / 1000) };
}

/** Says whose storage a snippet takes up. */
export function ownerOf({ project_id, author_id }: Pick<SnippetRecord, "project_id" | "author_id">): StorageOwner {
  return project_id === null ? `user ${author_id}` : `project ${project_id}`;
}

/** Counts bytes of a snippet, for which there was room, in its project, where it has one. */
export function growStatisticsOf(
  tx: Transaction,
  store: Store,
  { project_id }: Pick<SnippetRecord, "project_id">,
  bytes: number,
): void {
  if (project_id !== null) growStatistics(tx, store, project_id, { snippets_size: bytes });
}
