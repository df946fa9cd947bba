import { Failure } from "../domain/failure.ts";
import type { StoredCollection } from "./stored-collection.ts";

/** Longest time that a lazy change is in memory only. */
const bundleMs = 2_000;

/**
 * Changes that may be lost with the process, such as `last_used_at`: visible in memory at once, journalled in bundles,
 * so that reading does not become writing. No request waits for them, and a full disk only delays them.
 */
export class DeferredWrites {
  readonly #write: (documents: readonly (readonly [StoredCollection, number])[]) => void;
  readonly #waiting = new Map<StoredCollection, Set<number>>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(write: (documents: readonly (readonly [StoredCollection, number])[]) => void) {
    this.#write = write;
  }

  add(collection: StoredCollection, id: number): void {
    const ids = this.#waiting.get(collection) ?? new Set();
    this.#waiting.set(collection, ids.add(id));
    this.#timer ??= setTimeout(() => this.flush(), bundleMs).unref();
  }

  /** Journals all of them in one transaction. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const documents = [...this.#waiting].flatMap(([collection, ids]) =>
      [...ids].map((id) => [collection, id] as const),
    );
    if (documents.length === 0) return;
    try {
      this.#write(documents);
      this.#waiting.clear();
    } catch (error) {
      if (!(error instanceof Failure && error.kind === "unavailable")) throw error;
      this.#timer = setTimeout(() => this.flush(), bundleMs).unref();
    }
  }
}
