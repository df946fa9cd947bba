import { Failure } from "../domain/failure.ts";
import { withoutBudget } from "../domain/work-budget.ts";
import type { StoredDocument } from "./indexes/index.ts";
import type { Change } from "./journal/journal-line.ts";
import { copyOf } from "./records/copy.ts";
import type { StoredCollection } from "./stored-collection.ts";

/** The longest time that a deferred change is only in memory. */
const bundleMs = 2_000;

/**
 * Changes that may be lost with the process, such as `last_used_at`. They are visible at once and go to the journal in
 * bundles, so that a read does not become a write. No request waits for them, and a full disk or memory only delays them.
 */
export class DeferredWrites {
  readonly #append: (changes: readonly Change[]) => number;
  readonly #waiting = new Map<StoredCollection, Set<number>>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  #isClosed = false;

  /** The number of changes so far. */
  count = 0;

  /** `append` adds changes to the journal and returns the number of their transaction. */
  constructor(append: (changes: readonly Change[]) => number) {
    this.#append = append;
  }

  /** Replaces an existing document. */
  replace(collection: StoredCollection, document: StoredDocument): void {
    collection.put(document.id, copyOf(document, collection.get(document.id)));
    this.count += 1;
    const ids = this.#waiting.get(collection) ?? new Set();
    this.#waiting.set(collection, ids.add(document.id));
    this.#timer ??= setTimeout(() => this.#flush(), bundleMs).unref();
  }

  /** Journals the waiting changes. A change that cannot be journalled is lost. */
  close(): void {
    this.#isClosed = true;
    this.#flush();
  }

  /** Journals all waiting changes in one transaction. */
  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const documents = [...this.#waiting].flatMap(([collection, ids]) =>
      [...ids].map((id) => [collection, id] as const),
    );
    if (documents.length === 0) return;
    try {
      withoutBudget(() => this.#journal(documents));
      this.#waiting.clear();
    } catch (error) {
      if (!(error instanceof Failure && isPassing(error))) throw error;
      if (!this.#isClosed) this.#timer = setTimeout(() => this.#flush(), bundleMs).unref();
    }
  }

  #journal(documents: readonly (readonly [StoredCollection, number])[]): void {
    const present = documents.filter(([collection, id]) => collection.get(id) !== undefined);
    if (present.length === 0) return;
    const sequence = this.#append(present.map(([collection, id]) => [collection.name, id, collection.get(id) ?? null]));
    for (const [collection, id] of present) collection.markDirty(id, sequence);
  }
}

function isPassing({ kind }: Failure): boolean {
  return kind === "unavailable" || kind === "no_room";
}
