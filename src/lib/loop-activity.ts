/** Stored in place of a beat while the loop is not watched. */
const atRest = 0n;
/** Bytes of the time of the last beat. */
const beatBytes = BigInt64Array.BYTES_PER_ELEMENT;
/** Place of what runs now; behind it, a count for each name. */
const runningPlace = 0;
const countsPlace = 1;

/** The number of everything that has no name. */
const nameless = 0;

export const nameOfOperation = (method: string, path: string) => `${method} ${path}`;
export const nameOfJob = (kind: string) => `job ${kind}`;
export const nameOfPeriodicWork = (work: string) => `periodic work ${work}`;

/**
 * The current work of the event loop, in memory that another thread reads: the loop cannot report while it is held.
 * Each operation, kind of job and periodic work has a number.
 */
export class LoopActivity {
  readonly names: readonly string[];
  readonly memory: SharedArrayBuffer;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #beat: BigInt64Array;
  readonly #cells: Int32Array;
  #onUse: (() => void) | undefined;

  /** `memory`: that of the thread whose loop it is. */
  constructor(names: readonly string[], memory?: SharedArrayBuffer) {
    this.names = names;
    this.#numbers = new Map(names.map((name, index) => [name, index + 1]));
    const cells = countsPlace + names.length + 1;
    this.memory = memory ?? new SharedArrayBuffer(beatBytes + cells * Int32Array.BYTES_PER_ELEMENT);
    this.#beat = new BigInt64Array(this.memory, 0, 1);
    this.#cells = new Int32Array(this.memory, beatBytes, cells);
  }

  numberOf(name: string): number {
    return this.#numbers.get(name) ?? nameless;
  }

  /** Notes that this runs until `leave`; nothing else on the loop can run in between. */
  enter(number: number): void {
    if (this.#onUse !== undefined) this.#use();
    this.#cells[runningPlace] = number;
  }

  leave(): void {
    this.#cells[runningPlace] = nameless;
  }

  /** This is under way until the promise is settled. */
  follow(number: number, settling: Promise<unknown>): void {
    if (this.#onUse !== undefined) this.#use();
    this.#count(number, 1);
    const end = () => this.#count(number, -1);
    settling.then(end, end);
  }

  /** The running operation; undefined for work without a name. */
  running(): string | undefined {
    return this.names[Atomics.load(this.#cells, runningPlace) - 1];
  }

  /** Operations that have begun and wait. */
  underWay(): string[] {
    return this.names.filter((_, index) => Atomics.load(this.#cells, countsPlace + index + 1) > 0);
  }

  /** Calls `action` once, at the next work. */
  onUse(action: () => void): void {
    this.#onUse = action;
  }

  /** The loop turns. */
  beat(now: number): void {
    Atomics.store(this.#beat, 0, BigInt(now));
  }

  /** No beat is to be expected any more. */
  rest(): void {
    Atomics.store(this.#beat, 0, atRest);
  }

  /** Returns the time of the last beat, in milliseconds since 1970; undefined while the loop is not watched. */
  lastBeat(): number | undefined {
    const beat = Atomics.load(this.#beat, 0);
    return beat === atRest ? undefined : Number(beat);
  }

  #use(): void {
    const action = this.#onUse;
    this.#onUse = undefined;
    action?.();
  }

  #count(number: number, by: number): void {
    const place = countsPlace + number;
    this.#cells[place] = (this.#cells[place] ?? 0) + by;
  }
}
