/** How much a cache holds. */
export interface CacheLimits<T> {
  /** Bytes of all values. */
  readonly bytesMax: number;
  /** Larger values are read each time. */
  readonly valueBytesMax: number;
  /** The bytes of memory that a value takes at most. */
  readonly bytesOf: (value: T) => number;
}

interface Cached<T> {
  readonly value: T;
  readonly bytes: number;
}

/** The newest of many things that never change; the oldest go when there are more. */
export class BoundedCache<T> {
  readonly #values = new Map<string, Cached<T>>();
  readonly #limits: CacheLimits<T>;
  #bytes = 0;

  constructor(limits: CacheLimits<T>) {
    this.#limits = limits;
  }

  /** Bytes of all values that are cached. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): T | undefined {
    return this.#values.get(key)?.value;
  }

  set(key: string, value: T): void {
    const { bytesMax, valueBytesMax, bytesOf } = this.#limits;
    const bytes = bytesOf(value) + textBytes(key) + entryBytes;
    if (bytes > valueBytesMax) return;
    this.#remove(key);
    while (this.#bytes + bytes > bytesMax) this.#remove(this.#values.keys().next().value as string);
    this.#values.set(key, { value, bytes });
    this.#bytes += bytes;
  }

  #remove(key: string): void {
    this.#bytes -= this.#values.get(key)?.bytes ?? 0;
    this.#values.delete(key);
  }
}

/** An entry of a map, and the objects around a value. */
const entryBytes = 100;

/** The bytes of memory that a text takes at most. */
export function textBytes(text: string): number {
  return 2 * text.length;
}
