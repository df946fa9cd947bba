/** The texts of mails about issues and epics. */

import type { SignedInCaller } from "../../../domain/caller.ts";
import { fullPathOf, projectPathOf } from "../../core/namespaces/index.ts";
import type { NoteTarget } from "../../discussions/noteables/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { EpicRecord } from "../../planning/epics/records.ts";
import type { IssueRecord } from "../../planning/issues/records.ts";

/** Characters of a description or a note that a mail repeats. */
const excerptMax = 1_000;

/** `Cars | Wheels squeak (#3)`; one line whatever the title holds. */
export function subjectOf(place: { readonly name: string }, { title }: { readonly title: string }, number: string) {
  return `${place.name} | ${title} (${number})`.replaceAll(/\s+/g, " ");
}

/** The parts of a mail one below the other; empty ones are left out. */
export function textOf(...parts: readonly (string | null | undefined)[]): string {
  return `${parts.filter((part) => part != null && part.trim() !== "").join("\n\n")}\n`;
}

/** The caller, as sentences name them. */
export function nameOf({ user }: SignedInCaller): string {
  return `${user.name} (@${user.username})`;
}

export function excerptOf(text: string | null): string | null {
  if (text === null || text.length <= excerptMax) return text;
  return `${text.slice(0, excerptMax).toWellFormed()} …`;
}

/** The address of an issue, or its reference if this server does not know its own address. */
export function addressOfIssue({ store, mailBaseUrl }: Context, project: ProjectRecord, { iid }: IssueRecord): string {
  const path = projectPathOf(store, project);
  return mailBaseUrl === undefined ? `${path}#${iid}` : `${mailBaseUrl}/${path}/-/issues/${iid}`;
}

/** The address of the thing that a note is on, as `addressOfIssue` returns it. */
export function addressOfTarget({ store, mailBaseUrl }: Context, { noteable, project, thing }: NoteTarget): string {
  const path = projectPathOf(store, project);
  return mailBaseUrl === undefined
    ? `${path}${noteable.referenceOf(thing)}`
    : `${mailBaseUrl}/${path}/-/${noteable.pagePathOf(thing)}`;
}

export function addressOfEpic({ store, mailBaseUrl }: Context, group: GroupRecord, { iid }: EpicRecord): string {
  const path = fullPathOf(store, group.id);
  return mailBaseUrl === undefined ? `${path}&${iid}` : `${mailBaseUrl}/groups/${path}/-/epics/${iid}`;
}
