/** The rule that a sole owner of a group is not deleted softly, and the removal of such groups. */

import { conflict } from "../../../domain/failure.ts";
import { holderKey } from "../../../domain/source.ts";
import { Access, findGroupOwnedAlone, type OwnerSpan } from "../../core/access/index.ts";
import { selfAndAncestors } from "../../core/namespaces/index.ts";
import { findUser, userDeletionRequested, userRemovalStep } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { subscribe } from "../../kernel/event.ts";
import { memberships } from "../../members/members/records.ts";
import type { GroupRecord } from "./records.ts";
import { acceptGroupDeletion } from "./service-delete.ts";

/** A user who alone owns a group for good cannot be deleted softly (users-and-auth 9). Throws 409. */
export const soleOwnerRefusal = subscribe(userDeletionRequested, {
  run(_tx, context, { user, isHard }) {
    if (isHard) return;
    for (const id of context.store.of(memberships).by.user_id.find(user.id)) {
      if (ownedAlone(context, id, "for good") === undefined) continue;
      throw conflict("User cannot be removed while is the sole-owner of a group");
    }
  },
});

/**
 * A hard deletion deletes the groups that the user owns alone, too, unless another user owns them until some day
 * (users-and-auth 9). Each membership goes once it is looked at.
 */
export const soleOwnerRemoval = subscribe(userRemovalStep, {
  phase: 1,
  run(tx, context, { user, isHard, caller, budget }) {
    if (!isHard) return;
    budget.each(
      () => context.store.of(memberships).by.user_id.find(user.id),
      (id) => {
        const group = ownedAlone(context, id, "today");
        if (group !== undefined && !isBelowOwn(context, user.id, group))
          acceptGroupDeletion(tx, context, caller, group);
        tx.remove(memberships, id);
      },
    );
  },
});

/** A group that neither has another owner nor lies below a group that has one. Bots look after nothing. */
function ownedAlone(context: Context, membershipId: number, span: OwnerSpan): GroupRecord | undefined {
  const { store } = context;
  const access = context.get(Access);
  const counts = (id: number) => findUser(store, id)?.user_type === "human";
  const group = findGroupOwnedAlone(store, membershipId, { today: access.today, span, counts });
  return group === undefined || access.isBeingDeleted({ group }) ? undefined : group;
}

/** Whether the group is deleted with another one that the user owns alone. */
function isBelowOwn(context: Context, userId: number, group: GroupRecord): boolean {
  const { holder } = context.store.of(memberships).by;
  const [, ...above] = selfAndAncestors(context.store, group.id);
  return above.some((each) => {
    const id = holder.find(holderKey({ type: "group", id: each.id }, userId));
    return id !== undefined && ownedAlone(context, id, "today") !== undefined;
  });
}
