import type { Caller } from "../../domain/caller.ts";
import { notFound } from "../../domain/failure.ts";
import type { Context } from "../context.ts";
import type { ProjectRecord } from "../namespaces/index.ts";
import { getNote } from "../notes/index.ts";
import { iidKey, issues, type SubjectRef } from "../tracker/index.ts";

/** An issue, or with `note_id` a note on it. */
export interface AwardablePath {
  readonly issue_iid: number;
  readonly note_id?: number | undefined;
}

/** What is reacted to. Throws 404 `Award Emoji Not Found` for an issue that the caller does not read. */
export function getAwardable(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  { issue_iid, note_id }: AwardablePath,
): SubjectRef {
  const documents = context.store.of(issues);
  const id = documents.by.iid.find(iidKey(project.id, issue_iid));
  const issue = id === undefined ? undefined : documents.get(id);
  if (issue === undefined || !context.readableIssues.has(caller.user, issue)) throw notFound("Award Emoji");
  if (note_id === undefined) return { type: "Issue", id: issue.id };
  return { type: "Note", id: getNote(context, caller, project, issue, note_id).id };
}
