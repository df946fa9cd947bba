import { Access, groupsOwnedAlone, type OwnerSpan } from "../../core/access/index.ts";
import { type GroupRecord, groups, selfAndAncestors } from "../../core/namespaces/index.ts";
import { findUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { UserRemoval } from "../../kernel/user-removed-hook.ts";
import { acceptDeletion } from "./remove.ts";

/**
 * A user who alone owns a group for good cannot be deleted softly. A hard deletion deletes the group, too, unless
 * another user owns it until some day (users-and-auth 9). It runs before the memberships of the user go.
 */
export const soleOwnerRemoval: UserRemoval = {
  phase: 1,
  isSoleOwner: (context, user) => ownedAlone(context, user.id, "for good").length > 0,
  remove(tx, context, { user, isHard, caller }) {
    if (!isHard) return;
    const alone = ownedAlone(context, user.id, "today");
    const ids = new Set(alone.map(({ id }) => id));
    for (const group of alone) {
      const [, ...above] = selfAndAncestors(context.store, group.id);
      // A group below another one of them is deleted with that one.
      if (!above.some(({ id }) => ids.has(id))) acceptDeletion(tx, context, caller, group);
    }
  },
};

/** Groups that neither have another owner nor lie below a group that has one. Bots look after nothing. */
function ownedAlone(context: Context, userId: number, span: OwnerSpan): GroupRecord[] {
  const { store } = context;
  const access = context.get(Access);
  const counts = (id: number) => findUser(store, id)?.user_type === "human";
  return groupsOwnedAlone(store, userId, { today: access.today, span, counts })
    .map((id) => store.of(groups).get(id))
    .filter((group) => group !== undefined)
    .filter((group) => !access.isGoing({ group }));
}
