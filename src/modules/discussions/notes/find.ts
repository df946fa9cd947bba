import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller, CallerUser } from "../../../domain/caller.ts";
import { notFound } from "../../../domain/failure.ts";
import { Access } from "../../core/access/index.ts";
import type { ProjectRecord } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type IssueRecord, type NoteRecord, notes } from "../../planning/records/index.ts";

/** The note of this id on an issue that the caller reads; 404 `Note Not Found`, for internal ones of others too. */
export function getNote(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  issue: IssueRecord,
  noteId: number,
): NoteRecord {
  const note = context.store.of(notes).get(noteId);
  if (note === undefined || note.noteable_type !== "Issue" || note.noteable_id !== issue.id) throw notFound("Note");
  if (note.internal && !readsInternalNotes(context, caller.user, project)) throw notFound("Note");
  return note;
}

/** Planners and above, administrators and auditors read internal notes. */
export function readsInternalNotes(context: Context, user: CallerUser | undefined, project: ProjectRecord): boolean {
  return user?.is_auditor === true || context.get(Access).levelInProject(user, project) >= accessLevels.planner;
}
