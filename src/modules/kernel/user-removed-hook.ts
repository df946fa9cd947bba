import type { SignedInCaller } from "../../domain/caller.ts";
import type { Store, Transaction } from "../../store/index.ts";
import type { UserRecord } from "../core/users/index.ts";
import type { Context } from "./context.ts";
import type { InPhase } from "./phase.ts";

/** A user who is being deleted (users-and-auth 9). */
export interface RemovedUser {
  readonly user: UserRecord;
  /** What the user wrote goes too; else it becomes the ghost's. */
  readonly isHard: boolean;
  readonly caller: SignedInCaller;
  /** Who writes what the removed wrote, made on first need. For soft deletions. */
  ghost(): UserRecord;
}

/**
 * A module's part in deleting a user. The removals of all modules run by their phases; the user and the personal
 * namespace are removed after all of them.
 */
export interface UserRemoval extends InPhase {
  /** Whether something would be left without anybody: then the user can only be deleted hard. */
  isSoleOwner?(context: Context, user: UserRecord): boolean;
  /** Takes what the user has out of the module's collections, in the transaction of the deletion. */
  remove(tx: Transaction, context: Context, removed: RemovedUser): void;
}

/** What goes with the user, softly or hard. */
export function deletedWithUser(removeOf: (tx: Transaction, store: Store, userId: number) => void): UserRemoval {
  return { remove: (tx, { store }, { user }) => removeOf(tx, store, user.id) };
}
