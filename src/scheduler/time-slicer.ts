/** The length of a slice, after which requests and other work run. */
const turnMs = 2;

/** The slices that all long work shares: requests wait for one slice at most, however much work there is. */
export class TimeSlicer {
  readonly #waiting: (() => void)[] = [];
  #isPlanned = false;
  #end = 0;

  /** undefined during the slice; otherwise resolves when the next one begins. */
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
