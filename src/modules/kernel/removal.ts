import type { CollectionDeclaration, IndexDeclarations, StoredDocument, Transaction } from "../../store/index.ts";

/** A transaction that holds the event loop for longer is spent: documents with long texts take milliseconds each. */
const transactionMsMax = 10;
/** The same for characters of texts: a document is journalled whole, after the transaction, however little of it changes. */
const textLengthMax = 1 << 20;
/** Documents that are removed before the time is looked at; half of it at most may have passed for the next batch to double. */
const batchMax = 64;

/**
 * The number of documents that one transaction of a deletion may still remove. The subscribers to the deletion share it. When it is
 * spent, or the transaction has become long, the next transaction publishes the event again, until nothing is left.
 */
export class RemovalBudget {
  readonly #tx: Pick<Transaction, "textLength">;
  readonly #nowMs: () => number;
  readonly #startMs: number;
  #left: number;
  #batch = 1;

  constructor(tx: Pick<Transaction, "textLength">, limit: number, nowMs = () => performance.now()) {
    this.#tx = tx;
    this.#left = limit;
    this.#nowMs = nowMs;
    this.#startMs = nowMs();
  }

  get left(): number {
    return this.#left;
  }

  get #tookMs(): number {
    return this.#nowMs() - this.#startMs;
  }

  get #isLong(): boolean {
    return this.#tookMs > transactionMsMax || hasManyTexts(this.#tx);
  }

  /**
   * `remove` removes at most `limit` documents and returns how many; fewer than `limit` are the last ones. It is not called
   * when the budget is spent.
   */
  spend(remove: (limit: number) => number): void {
    while (this.#left > 0) {
      const limit = Math.min(this.#left, this.#batch);
      const removed = remove(limit);
      // A transaction without any removal would come again for ever.
      this.#left = removed > 0 && this.#isLong ? 0 : this.#left - removed;
      if (removed < limit) return;
      if (this.#tookMs < transactionMsMax / 2) this.#batch = Math.min(this.#batch * 2, batchMax);
    }
  }

  /** Calls `remove` for the ids that `list` has, as far as the budget goes. After it, `list` has an id no more. */
  each(list: () => Iterable<number>, remove: (id: number) => void): void {
    this.spend((limit) => {
      let removed = 0;
      for (const id of firstOf(list(), limit)) {
        remove(id);
        removed += 1;
        // One document may be as long as thousands of others.
        if (this.#isLong) break;
      }
      return removed;
    });
  }
}

/** Whether a transaction has written so many texts that a long work ends it. */
export function hasManyTexts({ textLength }: Pick<Transaction, "textLength">): boolean {
  return textLength >= textLengthMax;
}

/** Removes the first documents of `ids`, at most `limit` of them, and returns how many. */
export function removeFirst<T extends StoredDocument, D extends IndexDeclarations<T>>(
  tx: Transaction,
  declared: CollectionDeclaration<T, D>,
  ids: Iterable<number>,
  limit = Number.POSITIVE_INFINITY,
): number {
  const first = firstOf(ids, limit);
  for (const id of first) tx.remove(declared, id);
  return first.length;
}

/** The first ids, at most `limit` of them. */
export function firstOf(ids: Iterable<number>, limit: number): number[] {
  const first: number[] = [];
  for (const id of ids) {
    if (first.length >= limit) break;
    first.push(id);
  }
  return first;
}
