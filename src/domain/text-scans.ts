/** Bytes that are searched between two looks at the clock: at the slowest text, a fifth of a millisecond. */
export const scanBytes = 64 * 1024;

/** Bytes of a text that usually take one step. */
const bytesPerStep = 32;
/** The most steps that are charged for a byte: the machine may stop the process meanwhile. */
const stepsPerByteMax = 2;
const stepsPerMs = 100_000;
/** The time of a slice, after which work gives way. */
export const sliceMs = 5;
/** Results of interrupted work that are kept for its repetition: some 25 MB. */
const memoryMax = 200_000;

/** Interrupts work that has searched texts for a whole slice. The caller repeats it in a later turn of the event loop. */
export class WorkPaused extends Error {
  constructor() {
    super("the search of texts has to give way to other work");
  }
}

/**
 * The search of texts by one request. It is charged by the time that it takes: a needle that matches nearly everywhere takes a
 * hundred times as long as another. A read is interrupted after each slice, and finds again what it had found.
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

  /** Begins the work again after `WorkPaused`. */
  repeat(): void {
    this.#isRepetition = true;
    this.#sliceSteps = 0;
    this.#seenMs = performance.now();
  }

  /** Counts bytes that are about to be searched. Throws `OverBudget`, and `WorkPaused` at the end of a slice. */
  scan(bytes: number): void {
    this.charge(bytes);
    if (this.#sliceSteps >= sliceMs * stepsPerMs && this.#mayPause) throw new WorkPaused();
  }

  /** Counts bytes that are worked on, with a result that a repetition does not find again. Throws `OverBudget`. */
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
   * The result about `subject` so far, of the search called `search`: that of the interrupted work, else a new one. Only a
   * repetition keeps results, so that short work pays nothing.
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
    // Work that is not remembered would never end if it was repeated.
    if (this.#remembered >= memoryMax) this.#mayPause = false;
    else {
      this.#remembered += 1;
      results.set(subject, made);
    }
    return made;
  }
}
