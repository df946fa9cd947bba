import { Failure } from "../../../../domain/failure.ts";
import type { Store } from "../../../../store/index.ts";
import { isAdministrator, type UserRecord, users } from "../records.ts";

/** The change would leave no active administrator. */
export class LastAdministrator extends Failure {
  constructor() {
    super("forbidden", { message: "403 Forbidden - There must be an active administrator" });
  }
}

/**
 * Must be called in the transaction of a change of a user, before it; `after` is undefined if the user is deleted.
 * Throws `LastAdministrator` if no administrator would be left.
 */
export function requireRemainingAdministrator(store: Store, before: UserRecord, after: UserRecord | undefined): void {
  if (!isAdministrator(before) || (after !== undefined && isAdministrator(after))) return;
  if (store.of(users).by.flag.find("active_admin").size <= 1) throw new LastAdministrator();
}
