/** Random choices that a seed brings back. */
export interface Random {
  readonly seed: number;
  /** From 0 up to, not including, 1. */
  fraction(): number;
  /** From `from` to `to`, both included. */
  integer(from: number, to: number): number;
  /** Up to 4096 letters, some of which take two or four bytes. */
  text(length: number): string;
}

const letters = [...'abcdefghijklmnopqrstuvwxyz 0123456789 "\\éß漢🙂'];

/** That of TEST_SEED, when there is one, or a new one: for all that is drawn by one run, which `preload.ts` tells. */
export const seedOfRun = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);

export function createRandom(seed: number = seedOfRun): Random {
  let state = seed >>> 0;
  // mulberry32
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (from: number, to: number) => from + Math.floor(fraction() * (to - from + 1));
  // Texts are cut out of one that is made once: making each anew would take longer than what is tested with it.
  const pool = Array.from({ length: 4096 }, () => letters[integer(0, letters.length - 1)]);
  const text = (length: number) => {
    const from = integer(0, pool.length - length);
    return pool.slice(from, from + length).join("");
  };
  return { seed, fraction, integer, text };
}
