/** The removal of a deleted user's own data. */

import { subscribe } from "../../../kernel/event.ts";
import { removeAccessOf } from "../../access/index.ts";
import { removeCustomAttributes } from "../../custom-attributes/index.ts";
import { removeFollowsOf } from "../../follows/index.ts";
import { userRemovalStep } from "./events.ts";

/** Memberships, access requests, follows and custom attributes of a user: the modules that have them know no users. */
export const ownRemoval = subscribe(userRemovalStep, {
  phase: 7,
  run(tx, { store }, { user: { id }, budget }) {
    removeAccessOf(tx, store, id, budget);
    removeFollowsOf(tx, store, id, budget);
    removeCustomAttributes(tx, store, { resource: "User", id });
  },
});
