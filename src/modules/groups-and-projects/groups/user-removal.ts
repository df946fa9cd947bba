import { groupsOwnedAlone, type OwnerSpan } from "../../core/access/index.ts";
import { type GroupRecord, groups, selfAndAncestors } from "../../core/namespaces/index.ts";
import { findUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { UserRemoval } from "../../kernel/user-removed-hook.ts";
import { acceptDeletion } from "./remove.ts";

/**
 * Who alone owns a group cannot be deleted softly, and takes it along in a hard deletion (users-and-auth 9): not where
 * somebody owns it until some day. It runs before the memberships of the user go.
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
      // What lies below another of them goes with it.
      if (!above.some(({ id }) => ids.has(id))) acceptDeletion(tx, context, caller, group);
    }
  },
};

/** Groups that neither have another owner nor lie below a group that has one. Bots look after nothing. */
function ownedAlone(context: Context, userId: number, span: OwnerSpan): GroupRecord[] {
  const { store, access } = context;
  const counts = (id: number) => findUser(store, id)?.user_type === "human";
  return groupsOwnedAlone(store, userId, { today: access.today, span, counts })
    .map((id) => store.of(groups).get(id))
    .filter((group) => group !== undefined)
    .filter((group) => !access.isGoing({ group }));
}
