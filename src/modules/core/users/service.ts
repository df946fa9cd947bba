import { notFound } from "../../../domain/failure.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { type UserRecord, users } from "./records.ts";

export function findUser(store: Store, id: number): UserRecord | undefined {
  return store.of(users).get(id);
}

/** Throws 404 `User Not Found`. */
export function getUser(store: Store, id: number): UserRecord {
  const user = findUser(store, id);
  if (user === undefined) throw notFound("User");
  return user;
}

export function updatePasswordDigest(tx: Transaction, user: UserRecord, digest: string): void {
  tx.update(users, { ...user, password_digest: digest });
}

/** Notes the day of a user's last request, lazily; nothing is done when it is noted already. */
export function recordActivity(store: Store, user: UserRecord, today: string): void {
  if (user.last_activity_on !== today) store.touch(users, { ...user, last_activity_on: today });
}
