import { theServer } from "../../../domain/caller.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { publish } from "../../kernel/event.ts";
import { findNamespaceByPath } from "../namespaces/index.ts";
import { userDefaults } from "./attributes/defaults.ts";
import { findAddress } from "./emails/service-addresses.ts";
import { userEvents } from "./events.ts";
import { type UserRecord, users } from "./records.ts";
import { getUser } from "./service.ts";
import { insertUser } from "./service-create.ts";

/**
 * The one user of a type that the platform has for itself; made when first needed, under the first of `ghost`, `ghost1`,
 * ... that is free.
 */
export function findOrInsertInternalUser(
  tx: Transaction,
  context: Context,
  wanted: Pick<UserRecord, "user_type" | "name" | "username">,
): UserRecord {
  const { store } = context;
  const [id] = store.of(users).by.user_type.find(wanted.user_type) ?? [];
  if (id !== undefined) return getUser(store, id);
  let { username } = wanted;
  const isTaken = () =>
    findNamespaceByPath(store, username) !== undefined || findAddress(store, emailOf(username)) !== undefined;
  for (let count = 1; isTaken(); count += 1) username = `${wanted.username}${count}`;
  const now = toDateTime(context.clock.now());
  const user = insertUser(tx, {
    ...userDefaults(now),
    ...wanted,
    username,
    email: emailOf(username),
    confirmed_at: now,
    can_create_group: false,
    projects_limit: 0,
  });
  publish(tx, context, userEvents.created, { caller: theServer, before: undefined, after: user });
  return user;
}

function emailOf(username: string): string {
  return `${username}@outpost.test`;
}
