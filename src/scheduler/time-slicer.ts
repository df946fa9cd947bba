/** Time that work runs before requests and other work have their turn. */
const turnMs = 2;

/** One turn at a time for all long work together: however much of it there is, answers wait for one turn at most. */
export class TimeSlicer {
  readonly #waiting: (() => void)[] = [];
  #isPlanned = false;
  #end = 0;

  /** undefined while the turn lasts; else resolves at the beginning of the next one. */
  next(): Promise<void> | undefined {
    if (performance.now() < this.#end) return undefined;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#plan();
    });
  }

  #plan(): void {
    if (this.#isPlanned || this.#waiting.length === 0) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#end = performance.now() + turnMs;
      this.#waiting.shift()?.();
      this.#plan();
    });
  }
}
