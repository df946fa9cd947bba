import type { DateTime } from "../../../lib/datetime.ts";
import { collection, multi, ordered } from "../../../store/index.ts";
import { type SubjectRef, subjectKey } from "./subjects.ts";

/** A comment, or what the system says happened (issues-labels-milestones-epics 5). */
export interface NoteRecord {
  readonly id: number;
  readonly noteable_type: SubjectRef["type"];
  readonly noteable_id: number;
  readonly author_id: number;
  readonly body: string;
  readonly system: boolean;
  readonly internal: boolean;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
}

export const notes = collection<NoteRecord>()("notes", {
  noteable: multi((note) => [subjectKey(noteableOf(note))]),
  /** The system's, and those for planners and above, on one thing. */
  system: multi((note) => (note.system ? [subjectKey(noteableOf(note))] : [])),
  internal: multi((note) => (note.internal ? [subjectKey(noteableOf(note))] : [])),
  author_id: multi((note) => [note.author_id]),
  id: ordered((note) => note.id),
  created_at: ordered((note) => note.created_at),
  updated_at: ordered((note) => note.updated_at),
});

function noteableOf({ noteable_type, noteable_id }: NoteRecord): SubjectRef {
  return { type: noteable_type, id: noteable_id };
}
