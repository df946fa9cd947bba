import type { Static } from "@sinclair/typebox";
import { includesTier } from "../../../domain/edition.ts";
import { findUser } from "../../core/users/index.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import type { View } from "../../kernel/view.ts";
import type { AccessRow, StoredBranchRule } from "./records.ts";
import type { ProtectedBranch, RefAccessLevel } from "./schema.ts";

const levelNames: Readonly<Record<number, string>> = {
  0: "No one",
  30: "Developers + Maintainers",
  40: "Maintainers",
  60: "Instance admins",
};

/** protected-refs 2. Community shows levels alone. */
export function presentProtectedBranch(
  { record, push, merge, unprotect }: StoredBranchRule,
  view: View,
): Static<typeof ProtectedBranch> {
  const isPaid = includesTier(view.context.edition, "premium");
  return {
    id: record.id,
    name: record.name,
    push_access_levels: presentRows(push, view),
    merge_access_levels: presentRows(merge, view),
    ...(isPaid ? { unprotect_access_levels: presentRows(unprotect, view) } : {}),
    allow_force_push: record.allow_force_push,
    code_owner_approval_required: isPaid && record.code_owner_approval_required,
    ...(isPaid ? { inherited: false } : {}),
  };
}

export function presentRows(
  rows: readonly (AccessRow & { readonly id: number })[],
  view: View,
): Static<typeof RefAccessLevel>[] {
  const isPaid = includesTier(view.context.edition, "premium");
  const shown = isPaid ? rows : rows.filter(({ access_level }) => access_level !== null);
  return shown.map((row) => ({
    id: row.id,
    access_level: row.access_level,
    access_level_description: descriptionOf(row, view),
    deploy_key_id: null,
    ...(isPaid ? { user_id: row.user_id, group_id: row.group_id } : {}),
  }));
}

function descriptionOf({ access_level, user_id, group_id }: AccessRow, { context: { store } }: View): string {
  if (user_id !== null) return findUser(store, user_id)?.name ?? "";
  if (group_id !== null) return store.of(groups).get(group_id)?.name ?? "";
  return levelNames[access_level ?? 0] ?? "";
}
