import type { Caller, CallerUser } from "../../../domain/caller.ts";
import { notFound } from "../../../domain/failure.ts";
import { type SubjectRef, subjectKey } from "../../../domain/subject.ts";
import { documentSteps, spend } from "../../../domain/work-budget.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { canReadInternalNotes } from "../../planning/issues/index.ts";
import { type IssueRecord, issues } from "../../planning/issues/records.ts";
import { ReadableIssues } from "../../planning/readable-issues/index.ts";
import { type NoteRecord, notes } from "./records.ts";

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
  if (namesHiddenIssue(context, caller.user, note)) throw notFound("Note");
  return note;
}

/** The system notes on a thing that name an issue that the user cannot read. */
export function hiddenNotesOn(context: Context, user: CallerUser | undefined, subject: SubjectRef): number[] {
  const documents = context.store.of(notes);
  const naming = [...documents.by.naming.find(subjectKey(subject))];
  spend(naming.length * documentSteps);
  return naming.filter((id) => {
    const note = documents.get(id);
    return note !== undefined && namesHiddenIssue(context, user, note);
  });
}

function namesHiddenIssue(context: Context, user: CallerUser | undefined, { named_issue_id }: NoteRecord): boolean {
  if (named_issue_id === undefined) return false;
  const named = context.store.of(issues).get(named_issue_id);
  return named === undefined || !context.get(ReadableIssues).has(user, named);
}
