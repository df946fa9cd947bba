import type { Store, Transaction } from "../../../store/index.ts";
import { groupLinks, memberships, type SourceRef, sourceKey } from "./memberships.ts";
import { accessRequests } from "./requests.ts";

/**
 * Takes up to `limit` memberships, shares and access requests of a group or project that is being deleted, and says how
 * many it took: fewer than `limit` are the last ones.
 */
export function removeAccessTo(tx: Transaction, store: Store, source: SourceRef, limit: number): number {
  const key = sourceKey(source);
  const rows = upTo(limit, store.of(memberships).by.source.find(key));
  for (const id of rows) tx.remove(memberships, id);
  const requests = upTo(limit - rows.length, store.of(accessRequests).by.source.find(key));
  for (const id of requests) tx.remove(accessRequests, id);
  const left = limit - rows.length - requests.length;
  const invited = source.type === "group" ? store.of(groupLinks).by.group_id.find(source.id) : [];
  const links = upTo(left, new Set([...store.of(groupLinks).by.source.find(key), ...invited]));
  for (const id of links) tx.remove(groupLinks, id);
  return rows.length + requests.length + links.length;
}

/** Takes the memberships and access requests of a user who is being deleted. */
export function removeAccessOf(tx: Transaction, store: Store, userId: number): void {
  for (const id of [...store.of(memberships).by.user_id.find(userId)]) tx.remove(memberships, id);
  for (const id of [...store.of(accessRequests).by.user_id.find(userId)]) tx.remove(accessRequests, id);
}

function upTo(limit: number, ids: Iterable<number>): number[] {
  const taken: number[] = [];
  if (limit <= 0) return taken;
  for (const id of ids) {
    taken.push(id);
    if (taken.length >= limit) break;
  }
  return taken;
}
