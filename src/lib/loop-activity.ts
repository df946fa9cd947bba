/** Stored in place of a beat while the loop is not watched. */
const atRest = 0n;
/** Bytes of the time of the last beat. */
const beatBytes = BigInt64Array.BYTES_PER_ELEMENT;
/** Places of what runs now, and of the number of names; behind them, a count for each name. */
const [runningPlace, namesPlace, countsPlace] = [0, 1, 2];

/** The number of everything that has no name. */
const nameless = 0;
/** Further names get no number. */
const [namesMax, namesBytesMax] = [1_023, 64 << 10];
const cellsMax = countsPlace + 1 + namesMax;

export const nameOfOperation = (method: string, path: string) => `${method} ${path}`;
export const nameOfJob = (kind: string) => `job ${kind}`;
export const nameOfPeriodicWork = (work: string) => `periodic work ${work}`;

/**
 * The current work of the event loop, in memory that another thread reads: the loop cannot report while it is held.
 * Each operation, kind of job and periodic work has a number.
 */
export class LoopActivity {
  readonly memory: SharedArrayBuffer;
  readonly #numbers = new Map<string, number>();
  readonly #beat: BigInt64Array;
  readonly #cells: Int32Array;
  /** The names, each with its line end. */
  readonly #text: Uint8Array;
  #textEnd = 0;
  #onUse: (() => void) | undefined;

  /** `memory`: that of the thread whose loop it is. */
  constructor(memory?: SharedArrayBuffer) {
    const textStart = beatBytes + cellsMax * Int32Array.BYTES_PER_ELEMENT;
    this.memory = memory ?? new SharedArrayBuffer(textStart + namesBytesMax);
    this.#beat = new BigInt64Array(this.memory, 0, 1);
    this.#cells = new Int32Array(this.memory, beatBytes, cellsMax);
    this.#text = new Uint8Array(this.memory, textStart);
  }

  /** The number of a name, which gets one now if it has none. */
  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const text = new TextEncoder().encode(`${name}\n`);
    const number = this.#numbers.size + 1;
    if (number > namesMax || this.#textEnd + text.length > namesBytesMax) return nameless;
    this.#text.set(text, this.#textEnd);
    this.#textEnd += text.length;
    this.#numbers.set(name, number);
    Atomics.store(this.#cells, namesPlace, number);
    return number;
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
    return this.#names()[Atomics.load(this.#cells, runningPlace) - 1];
  }

  /** Operations that have begun and wait. */
  underWay(): string[] {
    return this.#names().filter((_, index) => Atomics.load(this.#cells, countsPlace + index + 1) > 0);
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

  /** In the order of their numbers, which are counted from 1. */
  #names(): string[] {
    const count = Atomics.load(this.#cells, namesPlace);
    return new TextDecoder().decode(this.#text.slice()).split("\n", count);
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
