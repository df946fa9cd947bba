import type { Static } from "@sinclair/typebox";
import { getUser, presentBasicUser } from "../../core/users/index.ts";
import type { View } from "../../kernel/view.ts";
import type { IssueRecord, NoteRecord } from "../../planning/records/index.ts";
import type { Note } from "./schema.ts";

/** issues-labels-milestones-epics 5. */
export function presentNote(
  note: NoteRecord,
  view: View,
  { issue }: { readonly issue: IssueRecord },
): Static<typeof Note> {
  const {
    context: { store },
  } = view;
  const { id, body, author_id, created_at, updated_at, system, noteable_id, noteable_type, internal } = note;
  return {
    id,
    type: null,
    body,
    attachment: null,
    author: presentBasicUser(getUser(store, author_id), view),
    created_at,
    updated_at,
    system,
    noteable_id,
    noteable_type,
    noteable_iid: issue.iid,
    project_id: issue.project_id,
    resolvable: false,
    confidential: internal,
    internal,
    imported: false,
    imported_from: "none",
    commands_changes: {},
  };
}
