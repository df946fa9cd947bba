import { randomInt } from "node:crypto";
import { customAlphabet } from "nanoid";

/** The source of randomness, which a sandbox can replace with a deterministic one. */
export interface Randomness {
  /** Returns letters and digits from a cryptographic source. 20 of them have 119 bits. */
  token(length: number): string;
  /** Returns an integer from 0 to `limit`, exclusive. */
  below(limit: number): number;
  /** Returns a version 7 UUID, which is unique and ascends with time. */
  uuid(): string;
  /** Returns a number from 0 to 1, exclusive. Not for secrets. */
  fraction(): number;
}

export const alphanumerics = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const alphanumeric = customAlphabet(alphanumerics);

export const systemRandomness: Randomness = {
  token: (length) => alphanumeric(length),
  below: (limit) => randomInt(limit),
  uuid: () => Bun.randomUUIDv7(),
  fraction: () => Math.random(),
};

/** A stream of numbers from a 32-bit seed (mulberry32). Not for secrets. */
export class NumberStream {
  /** An integer from 0 to 2^32, exclusive. The same state gives the same numbers. */
  state: number;

  constructor(state: number) {
    this.state = state >>> 0;
  }

  /** Returns a number from 0 to 1, exclusive. */
  fraction(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    const { state } = this;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** Deterministic randomness for sandboxes. Whoever knows the seed knows every token. */
export class SeededRandomness implements Randomness {
  readonly #stream: NumberStream;
  readonly #now: () => number;

  /** `now` returns the milliseconds since 1970 with which UUIDs begin. */
  constructor(seed: number, now: () => number) {
    this.#stream = new NumberStream(Bun.hash.crc32(String(seed)));
    this.#now = now;
  }

  get state(): number {
    return this.#stream.state;
  }

  set state(state: number) {
    this.#stream.state = state;
  }

  token(length: number): string {
    return Array.from({ length }, () => alphanumerics[this.below(alphanumerics.length)]).join("");
  }

  below(limit: number): number {
    return Math.floor(this.#stream.fraction() * limit);
  }

  uuid(): string {
    const hex = (count: number) => Array.from({ length: count }, () => this.below(16).toString(16)).join("");
    const time = this.#now().toString(16).padStart(12, "0");
    const variant = (8 + this.below(4)).toString(16);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${variant}${hex(3)}-${hex(12)}`;
  }

  fraction(): number {
    return this.#stream.fraction();
  }
}
