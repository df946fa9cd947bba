/** The removal of a deleted group's own data. */

import { removeAccessTo } from "../../core/access/index.ts";
import { removeCustomAttributes } from "../../core/custom-attributes/index.ts";
import { groupRemoval } from "../../core/namespaces/index.ts";

/** Memberships, access requests, shares in both directions, and custom attributes of a group. */
export const groupOwnRemoval = groupRemoval({
  phase: 9,
  remove(tx, { store }, { id }, limit) {
    const taken = removeAccessTo(tx, store, { type: "group", id }, limit);
    if (taken < limit) removeCustomAttributes(tx, store, { resource: "Group", id });
    return taken;
  },
});
