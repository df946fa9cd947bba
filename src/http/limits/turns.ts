/** Time of requests in one turn of the event loop; those beyond it wait for a later turn. */
const turnMsMax = 25;
/** Waiting requests that begin in one turn. */
const begunMax = 16;

/**
 * Spreads the work of requests that arrive together over turns of the event loop, so that others are read in between. A
 * request that arrives while a turn has time left goes before those that wait; those that wait go one of each sender at a
 * time.
 */
export class Turns {
  readonly #now: () => number;
  /** Requests that wait, by sender; the sender whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #startMs = 0;
  #isPlanned = false;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Returns what `work` returns; a promise where it has to wait for a later turn. `senderOf` is called only then. */
  run<R>(work: () => R | Promise<R>, senderOf = () => ""): R | Promise<R> {
    if (!this.#isPlanned) this.#begin();
    if (this.#now() - this.#startMs < turnMsMax) return work();
    return new Promise<R>((resolve, reject) => {
      this.#add(senderOf(), () => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** Begins a turn for requests that arrive. */
  #begin(): void {
    this.#startMs = this.#now();
    this.#isPlanned = true;
    setImmediate(() => this.#end());
  }

  /**
   * Gives waiting requests a time of their own. Each begins in a callback of its own: what it does behind a promise that
   * is fulfilled already runs before the next callback, and so counts.
   */
  #end(): void {
    this.#isPlanned = false;
    if (this.#waiting.size === 0) return;
    let startMs: number | undefined;
    for (let count = 0; count < begunMax; count += 1) {
      setImmediate(() => {
        startMs ??= this.#now();
        if (this.#now() - startMs < turnMsMax) this.#next()?.();
      });
    }
    this.#begin();
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
}
