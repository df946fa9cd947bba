/** The addresses that a user may have mails sent to. */

import type { Store } from "../../../store/index.ts";
import { verifiedAddresses } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import type { NotificationSettingsRecord } from "./records.ts";

/**
 * The addresses that mail may go to: the primary one, confirmed or not, and others that are confirmed; in small
 * letters.
 */
export function ownAddresses(store: Store, user: UserRecord): ReadonlySet<string> {
  return verifiedAddresses(store, user).add(user.email.toLowerCase());
}

/**
 * The address of a user's notifications: the primary one replaces one that the user no longer has (users-and-auth 11).
 */
export function notificationEmailOf(
  store: Store,
  user: UserRecord,
  global: NotificationSettingsRecord | undefined,
): string {
  const chosen = global?.notification_email ?? null;
  return chosen !== null && ownAddresses(store, user).has(chosen) ? chosen : user.email;
}
