import type { Randomness } from "../lib/randomness.ts";
import { alphanumerics, Lots } from "./seeded-random.ts";

/** Randomness that a number brings back. Tokens that come of it are known to whoever knows the number. */
export function seededRandomness(seed: number): Randomness {
  const lots = new Lots(seed, "randomness");
  return {
    token: (length) => lots.characters(alphanumerics, length),
    below: (limit) => lots.integer(0, limit - 1),
    uuid: () => Bun.randomUUIDv7(),
    fraction: () => lots.fraction(),
  };
}
