import { accessLevels } from "../../domain/access-level.ts";
import { isOver, memberships, sourceKey } from "../access/index.ts";
import type { Context } from "../context.ts";
import { type GroupRecord, groups, selfAndAncestors } from "../namespaces/index.ts";
import type { UserRemoval } from "../user-removal.ts";
import { findUser } from "../users/index.ts";
import { acceptDeletion } from "./remove.ts";

/**
 * Who alone owns a group cannot be deleted softly, and takes it along in a hard deletion (users-and-auth 9). It runs
 * before the memberships of the user go, and takes them along.
 */
export const soleOwnerRemoval: UserRemoval = {
  isSoleOwner: (context, user) => groupsOwnedAlone(context, user.id).length > 0,
  remove(tx, context, { user, isHard, caller }) {
    if (isHard) {
      for (const group of groupsOwnedAlone(context, user.id)) acceptDeletion(tx, context, caller, group);
    }
    for (const id of [...context.store.of(memberships).by.user_id.find(user.id)]) tx.remove(memberships, id);
  },
};

/** Groups that neither have another owner nor lie below a group that has one. */
function groupsOwnedAlone(context: Context, userId: number): GroupRecord[] {
  const { store } = context;
  return [...store.of(memberships).by.user_id.find(userId)]
    .map((id) => store.of(memberships).get(id))
    .filter((row) => row?.source_type === "group" && row.access_level === accessLevels.owner && row.state === "active")
    .map((row) => store.of(groups).get(row?.source_id ?? 0))
    .filter((group) => group !== undefined)
    .filter((group) => group.is_being_deleted !== true)
    .filter((group) => !selfAndAncestors(store, group.id).some(({ id }) => hasOtherOwner(context, id, userId)));
}

function hasOtherOwner({ store, access }: Context, groupId: number, userId: number): boolean {
  for (const id of store.of(memberships).by.source.find(sourceKey({ type: "group", id: groupId }))) {
    const row = store.of(memberships).get(id);
    if (row === undefined || row.user_id === userId || row.access_level < accessLevels.owner) continue;
    if (row.state !== "active" || isOver(row, access.today)) continue;
    // Bots look after nothing.
    if (findUser(store, row.user_id)?.user_type === "human") return true;
  }
  return false;
}
