import { type SubjectRef, subjectCollections, subjectKey, subjectTypes } from "../../../domain/subject.ts";
import { collection, field, multi, ordered, type RecordOf, record } from "../../../store/index.ts";

/** A comment, or what the system says happened (issues-labels-milestones-epics 5). */
export const NoteRecord = record({
  id: field.whole,
  noteable_type: field.oneOf(...subjectTypes),
  noteable_id: field.whole,
  author_id: field.whole,
  body: field.text,
  system: field.flag,
  internal: field.flag,
  /** The other issue that a system note names; users who cannot read it do not see the note. */
  named_issue_id: field.optional(field.whole),
  created_at: field.moment,
  updated_at: field.moment,
});
export type NoteRecord = RecordOf<typeof NoteRecord>;

export const notes = collection("notes", NoteRecord, {
  indexes: {
    noteable: multi((note) => [subjectKey(noteableOf(note))]),
    /** The system's, and those for planners and above, on one thing. */
    system: multi((note) => (note.system ? [subjectKey(noteableOf(note))] : [])),
    internal: multi((note) => (note.internal ? [subjectKey(noteableOf(note))] : [])),
    /** The notes on one thing that name another issue, and those that name this one. */
    naming: multi((note) => {
      const key = subjectKey(noteableOf(note));
      return note.named_issue_id === undefined ? [] : [key, `${key} ${note.named_issue_id}`];
    }),
    author_id: multi((note) => [note.author_id]),
    id: ordered((note) => note.id),
    created_at: ordered((note) => note.created_at),
    updated_at: ordered((note) => note.updated_at),
  },
  references: { noteable_id: { by: "noteable_type", of: subjectCollections }, author_id: "users" },
});

function noteableOf({ noteable_type, noteable_id }: NoteRecord): SubjectRef {
  return { type: noteable_type, id: noteable_id };
}
