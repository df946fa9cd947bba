/** Work of requests in one turn of the event loop; those beyond it wait for a later turn. */
const turnMsMax = 25;

/**
 * Spreads the work of requests that arrive together over turns of the event loop, so that others are read in between. A
 * request that arrives while a turn has time left goes before those that wait.
 */
export class Turns {
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  #spentMs = 0;
  #isPlanned = false;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Returns what `work` returns; a promise where it has to wait for a later turn. */
  run<R>(work: () => R | Promise<R>): R | Promise<R> {
    if (this.#spentMs < turnMsMax) return this.#measured(work);
    return new Promise<R>((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(this.#measured(work));
        } catch (error) {
          reject(error);
        }
      });
    });
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
    while (this.#spentMs < turnMsMax && this.#waiting.length > 0) this.#waiting.shift()?.();
    this.#spentMs = 0;
    this.#isPlanned = false;
    if (this.#waiting.length > 0) this.#plan();
  }
}
