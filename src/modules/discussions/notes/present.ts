import type { Static } from "@sinclair/typebox";
import { getUser, presentBasicUser } from "../../core/users/index.ts";
import type { View } from "../../kernel/view.ts";
import type { QuickActionUpdates } from "../../planning/quick-actions/index.ts";
import type { NoteTarget } from "../noteables/index.ts";
import type { NoteRecord } from "./records.ts";
import type { CommandsChanges, Note, QuickActionResult } from "./schema.ts";

/** issues-labels-milestones-epics 5. */
export function presentNote(
  note: NoteRecord,
  view: View,
  { target, updates = {} }: { readonly target: NoteTarget; readonly updates?: QuickActionUpdates },
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
    noteable_iid: target.thing.iid ?? null,
    project_id: target.project.id,
    resolvable: false,
    confidential: internal,
    internal,
    imported: false,
    imported_from: "none",
    commands_changes: changesOf(updates),
  };
}

/** The result of a text that had quick actions alone. */
export function presentQuickActions(
  updates: QuickActionUpdates,
  _: View,
  { messages }: { readonly messages: readonly string[] },
): Static<typeof QuickActionResult> {
  return { commands_changes: changesOf(updates), summary: [messages.join(" ")] };
}

/** The changes that clients are told: not the place to which a thing moved, nor that it became an epic. */
function changesOf({ target_project_id: _, promote_to_epic: __, ...told }: QuickActionUpdates): CommandsChanges {
  return told;
}
