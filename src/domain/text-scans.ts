/** Bytes that are searched between two readings of the clock: at most 0.2 ms. */
export const scanBytes = 64 * 1024;

/** Bytes of a text that usually take one step. */
const bytesPerStep = 32;
/** The most steps per byte: the system may suspend the process during a search. */
const stepsPerByteMax = 2;
const stepsPerMs = 100_000;
/** The time after which work pauses for other work. */
export const sliceMs = 5;
/** The number of stored results of paused work, about 25 MB. */
const memoryMax = 200_000;

/** Pauses work that searched texts for a whole slice. The caller repeats the work in a later turn of the event loop. */
export class WorkPaused extends Error {
  constructor() {
    super("the search of texts has to give way to other work");
  }
}

/**
 * The text searches of one request. They cost steps by their time, since some words take a hundred times as long as others.
 * A read pauses after each slice; its repetition reuses the stored results.
 */
export class TextScans {
  readonly #spend: (steps: number) => void;
  readonly #memory = new Map<string, Map<object, unknown>>();
  #remembered = 0;
  #isRepetition = false;
  #mayPause: boolean;
  #unseenBytes = 0;
  #seenMs = performance.now();
  #sliceSteps = 0;

  /** `mayPause`: the caller repeats the work after `WorkPaused`. */
  constructor(spend: (steps: number) => void, mayPause: boolean) {
    this.#spend = spend;
    this.#mayPause = mayPause;
  }

  /** Prepares a repetition after `WorkPaused`. */
  repeat(): void {
    this.#isRepetition = true;
    this.#sliceSteps = 0;
    this.#seenMs = performance.now();
  }

  /** Counts bytes before their search. Throws `OverBudget`, and `WorkPaused` at the end of a slice. */
  scan(bytes: number): void {
    this.charge(bytes);
    if (this.#sliceSteps >= sliceMs * stepsPerMs && this.#mayPause) throw new WorkPaused();
  }

  /** Counts bytes of work whose result a repetition cannot reuse. Throws `OverBudget`. */
  charge(bytes: number): void {
    this.#unseenBytes += bytes;
    if (this.#unseenBytes < scanBytes) return;
    const now = performance.now();
    const measured = (now - this.#seenMs) * stepsPerMs;
    const steps = Math.min(Math.max(measured, this.#unseenBytes / bytesPerStep), this.#unseenBytes * stepsPerByteMax);
    this.#unseenBytes = 0;
    this.#seenMs = now;
    this.#spend(steps);
    this.#sliceSteps += steps;
  }

  /**
   * Returns the result so far for `subject` in the search `search`: that of the paused work, else a new one. Only a
   * repetition stores results, so that short work costs nothing.
   */
  resultOf<R>(search: string, subject: object, make: () => R): R {
    if (!this.#isRepetition) return make();
    let results = this.#memory.get(search);
    if (results === undefined) {
      results = new Map();
      this.#memory.set(search, results);
    }
    const known = results.get(subject) as R | undefined;
    if (known !== undefined) return known;
    const made = make();
    // Work whose results are not stored would never end if it paused.
    if (this.#remembered >= memoryMax) this.#mayPause = false;
    else {
      this.#remembered += 1;
      results.set(subject, made);
    }
    return made;
  }
}
