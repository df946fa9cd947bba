import type { CollectionDeclaration, IndexDeclarations, StoredDocument, Transaction } from "../../store/index.ts";

/**
 * The number of documents that one transaction of a deletion may still remove. The subscribers to the deletion share it. When it is
 * spent, the next transaction publishes the event again, until nothing is left.
 */
export class RemovalBudget {
  #left: number;

  constructor(limit: number) {
    this.#left = limit;
  }

  get left(): number {
    return this.#left;
  }

  /**
   * `remove` removes at most `limit` documents and returns how many; fewer than `limit` are the last ones. It is not called
   * when the budget is spent.
   */
  spend(remove: (limit: number) => number): void {
    if (this.#left > 0) this.#left -= remove(this.#left);
  }
}

/** Removes the first documents of `ids`, at most `limit` of them, and returns how many. */
export function removeFirst<T extends StoredDocument, D extends IndexDeclarations<T>>(
  tx: Transaction,
  declared: CollectionDeclaration<T, D>,
  ids: Iterable<number>,
  limit = Number.POSITIVE_INFINITY,
): number {
  const first: number[] = [];
  for (const id of ids) {
    if (first.length >= limit) break;
    first.push(id);
  }
  for (const id of first) tx.remove(declared, id);
  return first.length;
}
