import { notFound } from "../../../domain/failure.ts";
import type { DateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { ServicePlace } from "../../kernel/write-quota.ts";
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

/** The place that a service writes to in a project. It is one for all projects that a user made: only administrators may have many. */
export function servicePlaceOf(store: Store, { id, creator_id }: ProjectRecord): ServicePlace {
  const creator = findUser(store, creator_id ?? 0);
  return creator === undefined || creator.is_admin ? `project ${id}` : `projects of user ${creator.id}`;
}

export function updatePasswordDigest(tx: Transaction, user: UserRecord, digest: string): void {
  tx.update(users, { ...user, password_digest: digest });
}

/** Notes the day of a user's last request, lazily; nothing is done when it is noted already. */
export function recordActivity(store: Store, user: UserRecord, today: string): void {
  if (user.last_activity_on !== today) store.touch(users, { ...user, last_activity_on: today });
}

/** Returns the user with all browser sessions ended; for the transaction of a change that requires this. */
export function withSessionsEnded(user: UserRecord): UserRecord {
  return { ...user, sessions_ended: (user.sessions_ended ?? 0) + 1 };
}

/** Notes that the user signed in at a time. */
export function recordSignIn(tx: Transaction, user: UserRecord, at: DateTime): UserRecord {
  const { current_sign_in_at: before, sign_in_count: count } = user;
  return tx.update(users, {
    ...user,
    last_sign_in_at: before ?? at,
    current_sign_in_at: at,
    sign_in_count: count + 1,
  });
}
