import { alphanumerics, type Randomness } from "../lib/randomness.ts";
import { SeededRandom } from "./seeded-random.ts";

/** Randomness that a number reproduces. Knowing the number means knowing the tokens. */
export function seededRandomness(seed: number): Randomness {
  const random = new SeededRandom(seed, "randomness");
  return {
    token: (length) => random.characters(alphanumerics, length),
    below: (limit) => random.integer(0, limit - 1),
    uuid: () => Bun.randomUUIDv7(),
    fraction: () => random.fraction(),
  };
}
