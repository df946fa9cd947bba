import type { SignedInCaller } from "../../../../domain/caller.ts";
import type {
  bitmap,
  CollectionDeclaration,
  IndexDeclarations,
  multi,
  StoredDocument,
  Transaction,
} from "../../../../store/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { domainEvent, type Phase, type Subscription, subscribe } from "../../../kernel/event.ts";
import { type RemovalBudget, removeFirst } from "../../../kernel/removal.ts";
import type { UserRecord } from "../records.ts";

/** Published before a user is deleted through the API. A subscriber refuses the deletion by an error. */
export const userDeletionRequested = domainEvent<{ readonly user: UserRecord; readonly isHard: boolean }>(
  "user-deletion-requested",
);

/** A user who is being deleted (users-and-auth 9). */
export interface DeletedUser {
  readonly user: UserRecord;
  /** Deletes the user's contributions too; else they become the ghost's. */
  readonly isHard: boolean;
  readonly caller: SignedInCaller;
  /** Limits the removals and hand-overs of one transaction. The next transaction publishes the event again. */
  readonly budget: RemovalBudget;
  /** Returns the author of what the deleted user wrote, who is made on first need. For soft deletions. */
  ghost(): UserRecord;
}

/**
 * Published in each transaction of the deletion of a user. The last one removes the user and the personal namespace after all
 * subscribers are done.
 */
export const userRemovalStep = domainEvent<DeletedUser>("user-removal-step-begun");

/** Removes the documents of a collection with the user whom their index `user_id` names, softly or hard. */
export function deletedWithUser<T extends StoredDocument>(
  declared: CollectionDeclaration<T, IndexDeclarations<T> & { readonly user_id: ReturnType<typeof multi<T>> }>,
  phase: Phase = 5,
): Subscription {
  return subscribe(userRemovalStep, {
    phase,
    run: (tx, { store }, { user, budget }) =>
      budget.spend((limit) => removeFirst(tx, declared, store.of(declared).by.user_id.find(user.id), limit)),
  });
}

/**
 * Softly, documents of a collection whose `author` is the deleted user become the ghost's; hard, `remove` removes at most `limit`
 * documents and returns how many (users-and-auth 9).
 */
export function writtenByUser<F extends string, T extends StoredDocument & { readonly [K in F]: number }>(
  declared: CollectionDeclaration<
    T,
    IndexDeclarations<T> & { readonly [K in F]: ReturnType<typeof multi<T> | typeof bitmap<T>> }
  >,
  author: F,
  {
    phase,
    remove,
  }: {
    readonly phase: Phase;
    remove(tx: Transaction, context: Context, ids: Iterable<number>, limit: number): number;
  },
): Subscription {
  return subscribe(userRemovalStep, {
    phase,
    run(tx, context, { user, isHard, ghost, budget }) {
      const documents = context.store.of(declared);
      const written = () => documents.by[author].find(user.id);
      if (isHard) budget.spend((limit) => remove(tx, context, written(), limit));
      else budget.each(written, (id) => tx.update(declared, { ...(documents.get(id) as T), [author]: ghost().id }));
    },
  });
}
