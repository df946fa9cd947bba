import type { Store, Transaction } from "../../../store/index.ts";
import { accessTokens } from "./records.ts";

/** For the transaction in which the user goes: every token is dead at once (users-and-auth 9). */
export function removeTokensOf(tx: Transaction, store: Store, userId: number): void {
  for (const id of [...store.of(accessTokens).by.user_id.find(userId)]) tx.remove(accessTokens, id);
}
