import type { Caller, CallerUser } from "../../../domain/caller.ts";
import { notFound } from "../../../domain/failure.ts";
import { type SubjectRef, subjectKey } from "../../../domain/subject.ts";
import { documentSteps, spend } from "../../../domain/work-budget.ts";
import type { Context } from "../../kernel/context.ts";
import { canReadInternalNotes } from "../../planning/issues/index.ts";
import { Noteables, type NoteTarget } from "../noteables/index.ts";
import { type NoteRecord, notes } from "./records.ts";

/** The note of this id on a thing that the caller reads; 404 `Note Not Found`, for internal ones of others too. */
export function getNote(
  context: Context,
  caller: Caller,
  { noteable, project, thing }: NoteTarget,
  noteId: number,
): NoteRecord {
  const note = context.store.of(notes).get(noteId);
  if (note?.noteable_type !== noteable.type || note.noteable_id !== thing.id) throw notFound("Note");
  if (note.internal && !canReadInternalNotes(context, caller.user, project)) throw notFound("Note");
  if (namesHidden(context, caller.user, note)) throw notFound("Note");
  return note;
}

/** The system notes on a thing that name another one, which the user cannot read. */
export function hiddenNotesOn(context: Context, user: CallerUser | undefined, subject: SubjectRef): number[] {
  const documents = context.store.of(notes);
  const naming = [...documents.by.naming.find(subjectKey(subject))];
  spend(naming.length * documentSteps);
  return naming.filter((id) => {
    const note = documents.get(id);
    return note !== undefined && namesHidden(context, user, note);
  });
}

function namesHidden(context: Context, user: CallerUser | undefined, { named }: NoteRecord): boolean {
  return named !== undefined && !context.get(Noteables).canRead(user, named);
}
