import type { Change } from "./journal-line.ts";

/** The transactions that one synchronous read of the store may have seen. The answer waits only for those. */
export class ReadTracker {
  readonly #watched = new Set<string>();
  /** The last transaction that the current read may have seen. */
  #seen = 0;
  /** The last transaction of a watched collection: a watcher may show it to any read. */
  #seenByAll = 0;

  begin(): void {
    this.#seen = 0;
  }

  /** Notes that the read may have seen everything up to this transaction. */
  see(sequence: number): void {
    if (sequence > this.#seen) this.#seen = sequence;
  }

  /** Notes the changes that the read itself made. */
  change(changes: readonly Change[], sequence: number): void {
    this.#seen = sequence;
    if (changes.some(([collection]) => this.#watched.has(collection))) this.#seenByAll = sequence;
  }

  /** Notes that a watcher follows a collection, and has seen it up to this transaction. */
  watch(collection: string, sequence: number): void {
    this.#watched.add(collection);
    this.#seenByAll = Math.max(this.#seenByAll, sequence);
  }

  /** True when the read may have seen a change after this transaction. */
  hasSeenAfter(sequence: number): boolean {
    return this.#seen > sequence || this.#seenByAll > sequence;
  }
}
