import { randomInt } from "node:crypto";
import { customAlphabet } from "nanoid";

/** Randomness comes in from outside, so that a sandbox can be deterministic. */
export interface Randomness {
  /** Letters and digits from a cryptographic source; 20 of them carry 119 bits. */
  token(length: number): string;
  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number;
  /** A version 7 UUID: unique, and rising with time. */
  uuid(): string;
  /** Returns a number from 0 up to, not including, 1; not for secrets. */
  fraction(): number;
}

const alphanumeric = customAlphabet("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

export const systemRandomness: Randomness = {
  token: (length) => alphanumeric(length),
  below: (limit) => randomInt(limit),
  uuid: () => Bun.randomUUIDv7(),
  fraction: () => Math.random(),
};
