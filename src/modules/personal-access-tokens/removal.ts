import type { UserRemoval } from "../user-removal.ts";
import { accessTokens } from "./collection.ts";

/** Every token of a deleted user is dead at once (users-and-auth 9). */
export const accessTokenRemoval: UserRemoval = {
  remove(tx, { store }, { user }) {
    for (const id of [...store.of(accessTokens).by.user_id.find(user.id)]) tx.remove(accessTokens, id);
  },
};
