import type { DateTime } from "../../domain/datetime.ts";
import { collection, multi, ordered } from "../../store/index.ts";
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
  noteable: multi((note) => [subjectKey({ type: note.noteable_type, id: note.noteable_id })]),
  author_id: multi((note) => [note.author_id]),
  id: ordered((note) => note.id),
  created_at: ordered((note) => note.created_at),
  updated_at: ordered((note) => note.updated_at),
});
