import { type SubjectRef, subjectKey } from "../../../domain/subject.ts";
import { collection, field, multi, ordered, type RecordOf, record } from "../../../store/index.ts";

/** A comment, or what the system says happened (issues-labels-milestones-epics 5). */
export const NoteRecord = record({
  id: field.whole,
  noteable_type: field.text,
  noteable_id: field.whole,
  author_id: field.whole,
  body: field.text,
  system: field.flag,
  internal: field.flag,
  /** The other thing that a system note names; users who cannot read it do not see the note. */
  named: field.optional(field.object({ type: field.text, id: field.whole })),
  created_at: field.moment,
  updated_at: field.moment,
});
export type NoteRecord = RecordOf<typeof NoteRecord>;

export const notes = collection("notes", NoteRecord, {
  typeName: "Note",
  indexes: {
    noteable: multi((note) => [subjectKey(noteableOf(note))]),
    /** The system's, and those for planners and above, on one thing. */
    system: multi((note) => (note.system ? [subjectKey(noteableOf(note))] : [])),
    internal: multi((note) => (note.internal ? [subjectKey(noteableOf(note))] : [])),
    /** The notes on one thing that name another one, and those that name this one. */
    naming: multi((note) => {
      const key = subjectKey(noteableOf(note));
      return note.named === undefined ? [] : [key, `${key} ${subjectKey(note.named)}`];
    }),
    author_id: multi((note) => [note.author_id]),
    id: ordered((note) => note.id),
    created_at: ordered((note) => note.created_at),
    updated_at: ordered((note) => note.updated_at),
  },
  references: { noteable_id: { byTypeIn: "noteable_type" }, author_id: "users" },
});

function noteableOf({ noteable_type, noteable_id }: NoteRecord): SubjectRef {
  return { type: noteable_type, id: noteable_id };
}
