/** The rule that a sole owner of a group is not deleted softly, and the removal of such groups. */

import { conflict } from "../../../domain/failure.ts";
import { Access, listGroupsOwnedAlone, type OwnerSpan } from "../../core/access/index.ts";
import { type GroupRecord, groups, selfAndAncestors } from "../../core/namespaces/index.ts";
import { findUser, userDeleted, userDeletionRequested } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { subscribe } from "../../kernel/event.ts";
import { acceptGroupDeletion } from "./service-delete.ts";

/** A user who alone owns a group for good cannot be deleted softly (users-and-auth 9). Throws 409. */
export const soleOwnerRefusal = subscribe(userDeletionRequested, {
  run(_tx, context, { user, isHard }) {
    if (isHard || ownedAlone(context, user.id, "for good").length === 0) return;
    throw conflict("User cannot be removed while is the sole-owner of a group");
  },
});

/**
 * A hard deletion deletes the groups that the user owns alone, too, unless another user owns them until some day
 * (users-and-auth 9). It runs before the memberships of the user are removed.
 */
export const soleOwnerRemoval = subscribe(userDeleted, {
  phase: 1,
  run(tx, context, { user, isHard, caller }) {
    if (!isHard) return;
    const alone = ownedAlone(context, user.id, "today");
    const ids = new Set(alone.map(({ id }) => id));
    for (const group of alone) {
      const [, ...above] = selfAndAncestors(context.store, group.id);
      // A group below another one of them is deleted with that one.
      if (!above.some(({ id }) => ids.has(id))) acceptGroupDeletion(tx, context, caller, group);
    }
  },
});

/** Groups that neither have another owner nor lie below a group that has one. Bots look after nothing. */
function ownedAlone(context: Context, userId: number, span: OwnerSpan): GroupRecord[] {
  const { store } = context;
  const access = context.get(Access);
  const counts = (id: number) => findUser(store, id)?.user_type === "human";
  return listGroupsOwnedAlone(store, userId, { today: access.today, span, counts })
    .map((id) => store.of(groups).get(id))
    .filter((group) => group !== undefined)
    .filter((group) => !access.isBeingDeleted({ group }));
}
