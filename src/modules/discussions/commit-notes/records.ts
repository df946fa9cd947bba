import { collection, field, multi, ordered, type RecordOf, record } from "../../../store/index.ts";

/** A comment on a commit of a project (commits 6). A fork has comments of its own. */
export const CommitNoteRecord = record({
  id: field.whole,
  project_id: field.whole,
  commit_id: field.text,
  author_id: field.whole,
  body: field.text,
  discussion_id: field.text,
  /** Answers another one of its discussion. */
  is_reply: field.flag,
  /** Nobody can tell from it that it may be answered. */
  is_individual: field.flag,
  /** The line of the commit's diff that it is about. */
  place: field.optional(field.object({ path: field.text, line: field.whole, line_type: field.text })),
  created_at: field.moment,
  updated_at: field.moment,
});
export type CommitNoteRecord = RecordOf<typeof CommitNoteRecord>;

export const commitNotes = collection("commit-notes", CommitNoteRecord, {
  typeName: "CommitNote",
  sequence: "notes",
  indexes: {
    project_id: multi((note) => [note.project_id]),
    author_id: multi((note) => [note.author_id]),
    commit: multi((note) => [commitKey(note)]),
    /** The first note of each discussion. */
    first: multi((note) => (note.is_reply ? [] : [commitKey(note)])),
    discussion_id: multi((note) => [note.discussion_id]),
    id: ordered((note) => note.id),
    created_at: ordered((note) => note.created_at),
  },
  references: { project_id: "projects", author_id: "users" },
});

/** The key of a commit in the indexes. */
export function commitKey({ project_id, commit_id }: Pick<CommitNoteRecord, "project_id" | "commit_id">): string {
  return `${project_id} ${commit_id}`;
}
