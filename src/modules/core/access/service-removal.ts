import { type SourceRef, sourceKey } from "../../../domain/source.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { groupLinks } from "../../groups-and-projects/shares/records.ts";
import { type RemovalBudget, removeFirst } from "../../kernel/removal.ts";
import { accessRequests } from "../../members/access-requests/records.ts";
import { memberships } from "../../members/members/records.ts";

/**
 * Takes up to `limit` memberships, shares and access requests of a group or project that is being deleted, and says how
 * many it took: fewer than `limit` are the last ones.
 */
export function removeAccessTo(tx: Transaction, store: Store, source: SourceRef, limit: number): number {
  const key = sourceKey(source);
  let left = limit;
  left -= removeFirst(tx, memberships, store.of(memberships).by.source.find(key), left);
  left -= removeFirst(tx, accessRequests, store.of(accessRequests).by.source.find(key), left);
  const invited = source.type === "group" ? store.of(groupLinks).by.group_id.find(source.id) : [];
  left -= removeFirst(tx, groupLinks, new Set([...store.of(groupLinks).by.source.find(key), ...invited]), left);
  return limit - left;
}

/** Removes the memberships and access requests of a user who is being deleted. */
export function removeAccessOf(tx: Transaction, store: Store, userId: number, budget: RemovalBudget): void {
  budget.spend((limit) => removeFirst(tx, memberships, store.of(memberships).by.user_id.find(userId), limit));
  budget.spend((limit) => removeFirst(tx, accessRequests, store.of(accessRequests).by.user_id.find(userId), limit));
}
