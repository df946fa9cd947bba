import type { Store, Transaction } from "../../store/index.ts";
import { groupLinks, memberships, type SourceRef, sourceKey } from "../access/index.ts";
import { removeCustomAttributes } from "../custom-attributes/index.ts";
import type { GroupRemoval } from "../group-hooks.ts";

/** Memberships, shares in both directions, and custom attributes of a group. */
export const groupOwnRemoval: GroupRemoval = {
  remove(tx, { store }, { id }, limit) {
    const taken = removeAccessTo(tx, store, { type: "group", id }, limit);
    if (taken < limit) removeCustomAttributes(tx, store, { resource: "Group", id });
    return taken;
  },
};

function removeAccessTo(tx: Transaction, store: Store, source: SourceRef, limit: number): number {
  const key = sourceKey(source);
  const rows = [...store.of(memberships).by.source.find(key)].slice(0, limit);
  for (const id of rows) tx.remove(memberships, id);
  const invited = source.type === "group" ? store.of(groupLinks).by.group_id.find(source.id) : [];
  const links = [...new Set([...store.of(groupLinks).by.source.find(key), ...invited])].slice(0, limit - rows.length);
  for (const id of links) tx.remove(groupLinks, id);
  return rows.length + links.length;
}
