/** Work of requests in one turn of the event loop; those beyond it wait for a later turn. */
const turnMsMax = 25;

/**
 * Spreads the work of requests that arrive together over turns of the event loop, so that others are read in between. A
 * request that arrives while a turn has time left goes before those that wait; those that wait go one of each sender at a
 * time.
 */
export class Turns {
  readonly #now: () => number;
  /** By sender, the one whose turn is next first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #spentMs = 0;
  #isPlanned = false;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Returns what `work` returns; a promise where it has to wait for a later turn. `senderOf` is called only then. */
  run<R>(work: () => R | Promise<R>, senderOf = () => ""): R | Promise<R> {
    if (this.#spentMs < turnMsMax) return this.#measured(work);
    return new Promise<R>((resolve, reject) => {
      this.#add(senderOf(), () => {
        try {
          resolve(this.#measured(work));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  #add(sender: string, begin: () => void): void {
    const own = this.#waiting.get(sender);
    if (own === undefined) this.#waiting.set(sender, [begin]);
    else own.push(begin);
  }

  #next(): (() => void) | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    const [sender, own] = first;
    this.#waiting.delete(sender);
    const begin = own.shift();
    if (own.length > 0) this.#waiting.set(sender, own);
    return begin;
  }

  #measured<R>(work: () => R): R {
    const start = this.#now();
    try {
      return work();
    } finally {
      this.#spentMs += this.#now() - start;
      if (this.#spentMs >= turnMsMax) this.#plan();
    }
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => this.#begin());
  }

  /** Gives waiting requests a share of their own, so that new ones find the whole turn. */
  #begin(): void {
    this.#isPlanned = true;
    this.#spentMs = 0;
    while (this.#spentMs < turnMsMax) {
      const begin = this.#next();
      if (begin === undefined) break;
      begin();
    }
    this.#spentMs = 0;
    this.#isPlanned = false;
    if (this.#waiting.size > 0) this.#plan();
  }
}
