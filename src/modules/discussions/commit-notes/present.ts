import type { Static } from "@sinclair/typebox";
import { getUser, presentBasicUser } from "../../core/users/index.ts";
import type { View } from "../../kernel/view.ts";
import type { CommitNoteRecord } from "./records.ts";
import type { CommitComment, CommitDiscussion, CommitNote } from "./schema.ts";

/** A note as a comment. */
export function presentCommitComment(
  { body, place, author_id, created_at }: CommitNoteRecord,
  view: View,
): Static<typeof CommitComment> {
  return {
    note: body,
    path: place?.path ?? null,
    line: place?.line ?? null,
    line_type: place === undefined ? null : place.line_type === "old" ? "old" : "new",
    author: presentBasicUser(getUser(view.context.store, author_id), view),
    created_at,
  };
}

/** The same note in a discussion. */
export function presentCommitNote(note: CommitNoteRecord, view: View): Static<typeof CommitNote> {
  const { id, body, author_id, created_at, updated_at, project_id, commit_id } = note;
  return {
    id,
    type: note.place !== undefined ? "LegacyDiffNote" : note.is_individual ? null : "DiscussionNote",
    body,
    attachment: null,
    author: presentBasicUser(getUser(view.context.store, author_id), view),
    created_at,
    updated_at,
    system: false,
    noteable_id: null,
    noteable_type: "Commit",
    noteable_iid: null,
    project_id,
    commit_id,
    resolvable: false,
    confidential: null,
    internal: false,
    imported: false,
    imported_from: "none",
    commands_changes: {},
  };
}

export function presentCommitDiscussion(
  notes: readonly CommitNoteRecord[],
  view: View,
): Static<typeof CommitDiscussion> {
  const [first] = notes;
  return {
    id: first?.discussion_id ?? "",
    individual_note: first?.is_individual === true && first.place === undefined,
    notes: notes.map((note) => presentCommitNote(note, view)),
  };
}
