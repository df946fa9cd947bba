import type { Change } from "./journal-line.ts";

/** The transactions that one synchronous look at the store may have seen: an answer waits for those alone. */
export class Looks {
  readonly #watched = new Set<string>();
  /** The last transaction that the present look may have seen. */
  #seen = 0;
  /** The last transaction of a watched collection: watchers may show it to any look. */
  #seenByAll = 0;

  begin(): void {
    this.#seen = 0;
  }

  /** The look may see everything up to this transaction. */
  see(sequence: number): void {
    if (sequence > this.#seen) this.#seen = sequence;
  }

  /** The look made these changes. */
  change(changes: readonly Change[], sequence: number): void {
    this.#seen = sequence;
    if (changes.some(([collection]) => this.#watched.has(collection))) this.#seenByAll = sequence;
  }

  /** Notes that a watcher sees changes of a collection from now on, and knows those up to this transaction. */
  watch(collection: string, sequence: number): void {
    this.#watched.add(collection);
    this.#seenByAll = Math.max(this.#seenByAll, sequence);
  }

  /** Whether something that the look may have seen came after this transaction. */
  hasSeenAfter(sequence: number): boolean {
    return this.#seen > sequence || this.#seenByAll > sequence;
  }
}
