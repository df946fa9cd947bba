import { groupsOwnedAlone, removeAccessOf } from "../access/index.ts";
import type { UserRemoval } from "../user-removal.ts";
import { isPerson } from "./policy.ts";

/**
 * Memberships and access requests go with a deleted user (users-and-auth 9). Who owns a group alone can only be deleted
 * with it; whatever takes those groups away has to run before their owner's row goes.
 */
export const membershipRemoval: UserRemoval = {
  isSoleOwner(context, { id }) {
    return groupsOwnedAlone(context.store, id, context.access.today, (other) => isPerson(context, other)).length > 0;
  },
  remove(tx, { store }, { user }) {
    removeAccessOf(tx, store, user.id);
  },
};
