import type { SignedInCaller } from "../../../domain/caller.ts";
import type { Transaction } from "../../../store/index.ts";
import { findOrInsertInternalUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";

/** The user that creates and closes incidents automatically; made when first needed (alerts D). */
export function findOrInsertAlertBot(tx: Transaction, context: Context): SignedInCaller {
  const user = findOrInsertInternalUser(tx, context, {
    user_type: "alert_bot",
    name: "Alert Bot",
    username: "alert-bot",
  });
  return { user, token: undefined, ipAddress: null };
}
