/** The stored time while nothing watches the event loop. */
const atRest = 0n;
/** The number of bytes of the last beat's time. */
const beatBytes = BigInt64Array.BYTES_PER_ELEMENT;
/** Positions of the running number and of the number of names. The counts per name follow. */
const [runningPlace, namesPlace, countsPlace] = [0, 1, 2];

/** The number for all work without a name. */
const nameless = 0;
/** Names beyond these limits get no number. */
const [namesMax, namesBytesMax] = [1_023, 64 << 10];
const cellsMax = countsPlace + 1 + namesMax;

export const nameOfOperation = (method: string, path: string) => `${method} ${path}`;
export const nameOfJob = (kind: string) => `job ${kind}`;
export const nameOfPeriodicWork = (work: string) => `periodic work ${work}`;

/**
 * The current work of the event loop, in memory that another thread reads, since a blocked loop cannot report. Each
 * operation, kind of job and periodic work has a number.
 */
export class LoopActivity {
  readonly memory: SharedArrayBuffer;
  readonly #numbers = new Map<string, number>();
  readonly #beat: BigInt64Array;
  readonly #cells: Int32Array;
  /** The names, one per line. */
  readonly #text: Uint8Array;
  #textEnd = 0;
  #onUse: (() => void) | undefined;

  /** `memory` is that of the thread whose event loop it is. */
  constructor(memory?: SharedArrayBuffer) {
    const textStart = beatBytes + cellsMax * Int32Array.BYTES_PER_ELEMENT;
    this.memory = memory ?? new SharedArrayBuffer(textStart + namesBytesMax);
    this.#beat = new BigInt64Array(this.memory, 0, 1);
    this.#cells = new Int32Array(this.memory, beatBytes, cellsMax);
    this.#text = new Uint8Array(this.memory, textStart);
  }

  /** Returns the number of a name. A new name gets one. */
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

  /** Notes that this work runs until `leave`. Nothing else on the loop can run meanwhile. */
  enter(number: number): void {
    if (this.#onUse !== undefined) this.#use();
    this.#cells[runningPlace] = number;
  }

  leave(): void {
    this.#cells[runningPlace] = nameless;
  }

  /** Notes that this work is under way until the promise is settled. */
  follow(number: number, settling: Promise<unknown>): void {
    if (this.#onUse !== undefined) this.#use();
    this.#count(number, 1);
    const end = () => this.#count(number, -1);
    settling.then(end, end);
  }

  /** Returns the name of the running work; undefined for work without a name. */
  running(): string | undefined {
    return this.#names()[Atomics.load(this.#cells, runningPlace) - 1];
  }

  /** Returns the names of started work that waits. */
  underWay(): string[] {
    return this.#names().filter((_, index) => Atomics.load(this.#cells, countsPlace + index + 1) > 0);
  }

  /** Calls `action` once, when the next work starts. */
  onUse(action: () => void): void {
    this.#onUse = action;
  }

  /** Notes that the event loop runs. */
  beat(now: number): void {
    Atomics.store(this.#beat, 0, BigInt(now));
  }

  /** Notes that no further beat will come. */
  rest(): void {
    Atomics.store(this.#beat, 0, atRest);
  }

  /** Returns the time of the last beat in milliseconds since 1970; undefined while nothing watches the loop. */
  lastBeat(): number | undefined {
    const beat = Atomics.load(this.#beat, 0);
    return beat === atRest ? undefined : Number(beat);
  }

  /** Returns the names in the order of their numbers, from 1. */
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
