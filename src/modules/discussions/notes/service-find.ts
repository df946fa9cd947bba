import type { Caller } from "../../../domain/caller.ts";
import { notFound } from "../../../domain/failure.ts";
import type { ProjectRecord } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { canReadInternalNotes } from "../../planning/issues/index.ts";
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
  if (note.internal && !canReadInternalNotes(context, caller.user, project)) throw notFound("Note");
  return note;
}
