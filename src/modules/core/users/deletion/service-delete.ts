import type { SignedInCaller } from "../../../../domain/caller.ts";
import { notFound, requireUnmodified } from "../../../../domain/failure.ts";
import { withoutBudget } from "../../../../domain/work-budget.ts";
import type { DateTime } from "../../../../lib/datetime.ts";
import { yieldToOthers } from "../../../../lib/yield.ts";
import type { Transaction } from "../../../../store/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { publish } from "../../../kernel/event.ts";
import { RemovalBudget } from "../../../kernel/removal.ts";
import { removeNamespace } from "../../namespaces/index.ts";
import { recordUserEvent } from "../audit.ts";
import { removeAddresses } from "../emails/service-addresses.ts";
import { userEvents } from "../events.ts";
import { type UserRecord, users } from "../records.ts";
import { getUser } from "../service.ts";
import { findOrInsertInternalUser } from "../service-internal-user.ts";
import { requireRemainingAdministrator } from "../states/policy.ts";
import { userDeletionRequested, userRemovalStep } from "./events.ts";

/** Documents that one transaction of a deletion removes or hands over. */
const stepMax = 500;

/**
 * `DELETE /users/:id` (users-and-auth 9). Throws 404, for the ghost too, 409 for a soft deletion of a user who owns something
 * alone, 412.
 */
export async function deleteUser(
  context: Context,
  caller: SignedInCaller,
  { id, hard_delete: isHard = false }: { readonly id: number; readonly hard_delete?: boolean },
  unmodifiedSince: DateTime | undefined,
): Promise<void> {
  if (getUser(context.store, id).user_type === "ghost") throw notFound("User");
  await deleteUserInSteps(context, caller, id, {
    isHard,
    check(tx, user) {
      publish(tx, context, userDeletionRequested, { user, isHard });
      requireUnmodified(user, unmodifiedSince);
    },
    end: (tx, user) => recordUserEvent(tx, context, caller, user, "user_destroyed", { remove: "user" }),
  });
}

/** The rules and the last act of one way to delete a user. */
interface Removal {
  readonly isHard: boolean;
  /** Throws what refuses the deletion. Called before anything is removed. */
  check(tx: Transaction, user: UserRecord): void;
  /** Runs in the last transaction, when the user is still there. */
  end(tx: Transaction, user: UserRecord): void;
}

/**
 * Removes a user, in as many transactions as it takes: others have their turn in between. If it is cut short, the user is still
 * there, and another call goes on.
 */
export async function deleteUserInSteps(
  context: Context,
  caller: SignedInCaller,
  id: number,
  removal: Removal,
): Promise<void> {
  const removeFirst = () =>
    context.store.transact((tx) => {
      const user = getUser(context.store, id);
      removal.check(tx, user);
      return removeSome(tx, context, caller, user, removal);
    });
  const removeNext = () =>
    context.store.transact((tx) => removeSome(tx, context, caller, getUser(context.store, id), removal));
  // No work budget: a user who wrote a lot must be deletable, and an administrator cannot delete in parts.
  await withoutBudget(async () => {
    for (let isDone = removeFirst(); !isDone; isDone = removeNext()) {
      // Otherwise the journal's next batch has all steps, and everyone who reads what one of them changed waits for it.
      await context.store.settled();
      await yieldToOthers();
    }
  });
}

/** Removes the user last, after everything that refers to the user, so that no reference ever dangles. False: there is more. */
function removeSome(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  user: UserRecord,
  { isHard, end }: Removal,
): boolean {
  requireRemainingAdministrator(context.store, user, undefined);
  // The author of what deleted users have written.
  const ghost = () =>
    findOrInsertInternalUser(tx, context, { user_type: "ghost", name: "Ghost User", username: "ghost" });
  const budget = new RemovalBudget(tx, stepMax);
  publish(tx, context, userRemovalStep, { user, isHard, caller, ghost, budget });
  if (budget.left <= 0) return false;
  end(tx, user);
  removeAddresses(tx, context.store, user.id);
  removeNamespace(tx, context.store, user.namespace_id);
  tx.remove(users, user.id);
  publish(tx, context, userEvents.deleted, { caller, before: user, after: undefined });
  return true;
}
