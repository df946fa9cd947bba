/** The limits of a cache. */
export interface CacheLimits<T> {
  /** The total size of the values in bytes. */
  readonly bytesMax: number;
  /** The size in bytes above which a value is not cached. */
  readonly valueBytesMax: number;
  /** Returns the largest number of bytes that a value takes in memory. */
  readonly bytesOf: (value: T) => number;
}

interface Cached<T> {
  readonly value: T;
  readonly bytes: number;
}

/** A cache of values that never change. It removes the oldest ones first. */
export class BoundedCache<T> {
  readonly #values = new Map<string, Cached<T>>();
  readonly #limits: CacheLimits<T>;
  #bytes = 0;

  constructor(limits: CacheLimits<T>) {
    this.#limits = limits;
  }

  /** The total size of the cached values in bytes. */
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

/** The size of a map entry and of the objects around a value. */
const entryBytes = 100;

/** Returns the largest number of bytes that a text takes in memory. */
export function textBytes(text: string): number {
  return 2 * text.length;
}
