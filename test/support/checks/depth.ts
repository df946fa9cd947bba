/** How many times as many kills, losses of power and random requests as in the gate; `TEST_DEPTH=10` for a long search. */
export const depth = Math.max(1, Number(process.env.TEST_DEPTH ?? 1));

/** The step of a walk through all places: one in so many is tried, other ones in each run. */
export function stepOf(step: number): number {
  return Math.max(1, Math.round(step / depth));
}
