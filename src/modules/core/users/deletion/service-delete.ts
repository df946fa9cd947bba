import type { SignedInCaller } from "../../../../domain/caller.ts";
import { notFound, requireUnmodified } from "../../../../domain/failure.ts";
import { withoutBudget } from "../../../../domain/work-budget.ts";
import type { DateTime } from "../../../../lib/datetime.ts";
import type { Transaction } from "../../../../store/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { publish } from "../../../kernel/event.ts";
import { removeNamespace } from "../../namespaces/index.ts";
import { recordUserEvent } from "../audit.ts";
import { removeAddresses } from "../emails/service-addresses.ts";
import { type UserRecord, users } from "../records.ts";
import { getUser } from "../service.ts";
import { findOrInsertInternalUser } from "../service-internal-user.ts";
import { requireRemainingAdministrator } from "../states/policy.ts";
import { userDeleted, userDeletionRequested } from "./events.ts";

/**
 * `DELETE /users/:id` (users-and-auth 9). Throws 404, for the ghost too, 409 for a soft deletion of a user who owns something
 * alone, 412.
 */
export function deleteUser(
  context: Context,
  caller: SignedInCaller,
  { id, hard_delete: isHard = false }: { readonly id: number; readonly hard_delete?: boolean },
  unmodifiedSince: DateTime | undefined,
): void {
  const user = getUser(context.store, id);
  if (user.user_type === "ghost") throw notFound("User");
  // No work budget: a user who wrote a lot must be deletable, and an administrator cannot delete in parts.
  withoutBudget(() =>
    context.store.transact((tx) => {
      publish(tx, context, userDeletionRequested, { user, isHard });
      requireUnmodified(user, unmodifiedSince);
      recordUserEvent(tx, context, caller, user, "user_destroyed", { remove: "user" });
      removeUser(tx, context, caller, user, isHard);
    }),
  );
}

/** Removes the user last, after everything that refers to the user, so that no reference ever dangles. */
export function removeUser(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  user: UserRecord,
  isHard: boolean,
): void {
  requireRemainingAdministrator(context.store, user, undefined);
  // The author of what deleted users have written.
  const ghost = () =>
    findOrInsertInternalUser(tx, context, { user_type: "ghost", name: "Ghost User", username: "ghost" });
  publish(tx, context, userDeleted, { user, isHard, caller, ghost });
  removeAddresses(tx, context.store, user.id);
  removeNamespace(tx, context.store, user.namespace_id);
  tx.remove(users, user.id);
}
