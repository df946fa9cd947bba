import type { Caller } from "../../../domain/caller.ts";
import { notFound } from "../../../domain/failure.ts";
import type { SubjectRef } from "../../../domain/subject.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { iidKey, issues } from "../../planning/issues/records.ts";
import { ReadableIssues } from "../../planning/readable-issues/index.ts";
import { canReadSnippet } from "../../repositories/snippets/index.ts";
import { getNote } from "../notes/index.ts";

/** An issue, with `note_id` a note on it, or a snippet of a project. */
export type AwardablePath =
  | { readonly issue_iid: number; readonly note_id?: number | undefined }
  | { readonly snippet_id: number };

/** Returns the thing to react to. Throws 404 `Award Emoji Not Found` for an issue or snippet hidden from the caller. */
export function getAwardable(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  path: AwardablePath,
): SubjectRef {
  if ("snippet_id" in path) return getSnippetRef(context, caller, project, path.snippet_id);
  const { issue_iid, note_id } = path;
  const documents = context.store.of(issues);
  const id = documents.by.iid.find(iidKey(project.id, issue_iid));
  const issue = id === undefined ? undefined : documents.get(id);
  if (issue === undefined || !context.get(ReadableIssues).has(caller.user, issue)) throw notFound("Award Emoji");
  if (note_id === undefined) return { type: "Issue", id: issue.id };
  return { type: "Note", id: getNote(context, caller, project, issue, note_id).id };
}

function getSnippetRef(context: Context, caller: Caller, project: ProjectRecord, id: number): SubjectRef {
  if (!canReadSnippet(context, caller, id, project)) throw notFound("Award Emoji");
  return { type: "Snippet", id };
}
