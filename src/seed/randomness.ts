import { alphanumerics, type Randomness } from "../lib/randomness.ts";
import { SeededRandom } from "./seeded-random.ts";

/** Returns randomness with a seed. Whoever knows the seed knows the tokens. */
export function seededRandomness(seed: number): Randomness {
  const random = new SeededRandom(seed, "randomness");
  return {
    token: (length) => random.characters(alphanumerics, length),
    below: (limit) => random.integer(0, limit - 1),
    uuid: () => Bun.randomUUIDv7(),
    fraction: () => random.fraction(),
  };
}
