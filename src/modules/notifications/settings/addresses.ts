/** The addresses that a user may have mails sent to. */

import type { Store } from "../../../store/index.ts";
import { type UserRecord, verifiedAddresses } from "../../core/users/index.ts";
import type { NotificationSettingsRecord } from "./records.ts";

/** Where mail may go: the primary address, confirmed or not, and others that are confirmed; in small letters. */
export function ownAddresses(store: Store, user: UserRecord): ReadonlySet<string> {
  return verifiedAddresses(store, user).add(user.email.toLowerCase());
}

/** Where mail goes: an address that the user no longer has gives way to the primary one (users-and-auth 11). */
export function notificationEmailOf(
  store: Store,
  user: UserRecord,
  global: NotificationSettingsRecord | undefined,
): string {
  const chosen = global?.notification_email ?? null;
  return chosen !== null && ownAddresses(store, user).has(chosen) ? chosen : user.email;
}
