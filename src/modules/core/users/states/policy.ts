import { Failure } from "../../../../domain/failure.ts";
import type { Store } from "../../../../store/index.ts";
import { isAdministrator, type UserRecord, users } from "../records.ts";

/** The change would leave nobody who administers. */
export class LastAdministrator extends Failure {
  constructor() {
    super("forbidden", { message: "403 Forbidden - There must be an active administrator" });
  }
}

/**
 * To be called in the transaction of a change of a user, before it; `after` is undefined where the user goes. Throws
 * `LastAdministrator` when nobody would administer any more.
 */
export function requireRemainingAdministrator(store: Store, before: UserRecord, after: UserRecord | undefined): void {
  if (!isAdministrator(before) || (after !== undefined && isAdministrator(after))) return;
  if (store.of(users).by.flag.find("active_admin").size <= 1) throw new LastAdministrator();
}
