import { removeAccessTo } from "../../core/access/index.ts";
import { removeCustomAttributes } from "../../core/custom-attributes/index.ts";
import type { GroupRemoval } from "../../kernel/group-hooks.ts";

/** Memberships, access requests, shares in both directions, and custom attributes of a group. */
export const groupOwnRemoval: GroupRemoval = {
  phase: 9,
  remove(tx, { store }, { id }, limit) {
    const taken = removeAccessTo(tx, store, { type: "group", id }, limit);
    if (taken < limit) removeCustomAttributes(tx, store, { resource: "Group", id });
    return taken;
  },
};
