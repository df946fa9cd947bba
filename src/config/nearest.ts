/**
 * The candidate that takes the fewest slips of the finger (a letter added, lost, changed, or two swapped) to become
 * `word`; the first of equals. There must be a candidate.
 */
export function nearest(word: string, candidates: readonly string[]): string {
  const [first, ...others] = candidates;
  if (first === undefined) throw new Error("nothing to choose from");
  let best = { candidate: first, slips: countSlips(word, first) };
  for (const candidate of others) {
    const slips = countSlips(word, candidate);
    if (slips < best.slips) best = { candidate, slips };
  }
  return best.candidate;
}

/** Optimal string alignment distance, row by row. */
function countSlips(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let slips = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      if (from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        slips = Math.min(slips, at(beforePrevious, column - 2) + 1);
      }
      current.push(slips);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
