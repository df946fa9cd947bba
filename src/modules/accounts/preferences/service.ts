import type { Static } from "@sinclair/typebox";
import type { SignedInCaller } from "../../../domain/caller.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { getUser, userEvents } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";
import { updateRecord } from "../../kernel/record-events.ts";
import { type UserPreferencesRecord, userPreferences } from "./records.ts";
import type { ChangeUserPreferences } from "./schema.ts";

/** The preferences of a user who has not changed them. */
const initial = { show_whitespace_in_diffs: true, pass_user_identities_to_ci_jwt: false };

export function preferencesOf(store: Store, userId: number): UserPreferencesRecord {
  return store.of(userPreferences).get(userId) ?? { id: userId, ...initial };
}

/** `PUT /user/preferences`: what is not given stays. */
export function updatePreferences(
  context: Context,
  caller: SignedInCaller,
  { view_diffs_file_by_file, ...changes }: Static<typeof ChangeUserPreferences>,
): UserRecord {
  const { store } = context;
  const userId = caller.user.id;
  store.transact((tx) => {
    if (view_diffs_file_by_file !== undefined) {
      updateRecord(tx, context, caller, userEvents, { ...getUser(store, userId), view_diffs_file_by_file });
    }
    if (Object.keys(changes).length === 0) return;
    const after = { ...preferencesOf(store, userId), ...changes };
    removePreferencesOf(tx, store, userId);
    tx.insert(userPreferences, after);
  });
  return getUser(store, userId);
}

/** Removes the preferences in the transaction that deletes the user. */
export function removePreferencesOf(tx: Transaction, store: Store, userId: number): void {
  if (store.of(userPreferences).get(userId) !== undefined) tx.remove(userPreferences, userId);
}
