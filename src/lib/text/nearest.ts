/** Returns the candidate with the smallest edit distance to `word`, the first of equals. There must be a candidate. */
export function nearest(word: string, candidates: readonly string[]): string {
  const [first, ...others] = candidates;
  if (first === undefined) throw new Error("nothing to choose from");
  let best = { candidate: first, distance: editDistance(word, first) };
  for (const candidate of others) {
    const distance = editDistance(word, candidate);
    if (distance < best.distance) best = { candidate, distance };
  }
  return best.candidate;
}

/**
 * Returns the edit distance: letters to add, remove, change or swap with a neighbour (optimal string alignment), row by row.
 */
function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      let distance = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (isSame ? 0 : 1),
      );
      if (from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        distance = Math.min(distance, at(beforePrevious, column - 2) + 1);
      }
      current.push(distance);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
