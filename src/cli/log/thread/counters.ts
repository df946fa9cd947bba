/** The most characters that wait for the reader of the log. */
export const waitingMax = 8 * 1024 * 1024;

/** Positions in the shared memory. */
const [waiting, dropped] = [0, 1] as const;

/** Counters shared by the server's thread and the thread that writes the log. */
export class LogCounters {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;

  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#cells = new Int32Array(memory);
  }

  /** The number of characters that are neither written nor dropped yet. */
  get waiting(): number {
    return Atomics.load(this.#cells, waiting);
  }

  handOver(characters: number): void {
    Atomics.add(this.#cells, waiting, characters);
  }

  settle(characters: number): void {
    Atomics.sub(this.#cells, waiting, characters);
    Atomics.notify(this.#cells, waiting);
  }

  /** The number of dropped lines. */
  get dropped(): number {
    return Atomics.load(this.#cells, dropped) >>> 0;
  }

  drop(lines: number): void {
    Atomics.add(this.#cells, dropped, lines);
  }

  /** Blocks the thread until nothing waits, or for `msMax`. */
  waitUntilSettled(msMax: number): void {
    const end = performance.now() + msMax;
    for (let count = this.waiting; count > 0; count = this.waiting) {
      const left = end - performance.now();
      if (left <= 0) return;
      Atomics.wait(this.#cells, waiting, count, left);
    }
  }
}

export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
