/** The lines that git takes for changed before it compares two files. */

/** The part of a file that is compared: the ends are equal. */
export interface Part {
  readonly numbers: readonly number[];
  readonly start: number;
  readonly end: number;
}

/**
 * The places of the lines that are worth a comparison. The rest are lines that the other file does not have; and, as in git,
 * lines that it has many times, where nearly all lines around them have gone: such as braces and empty lines in a part that
 * was written anew.
 */
export function linesWithHope({ numbers, start, end }: Part, others: readonly number[]): Int32Array {
  const counts = new Map<number, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  const frequent = Math.min(roughRoot(numbers.length), frequentMax);
  const hopes = Uint8Array.from(numbers.slice(start, end), (line) => {
    const count = counts.get(line) ?? 0;
    if (count === 0) return none;
    return count >= frequent ? little : some;
  });
  const isKept = (hope: number, at: number) => (hope === little ? !isAmongHopeless(hopes, at) : hope === some);
  const kept = new Int32Array(hopes.length);
  let count = 0;
  for (const [at, hope] of hopes.entries()) if (isKept(hope, at)) kept[count++] = start + at;
  return kept.subarray(0, count);
}

/** The chances of a line to be found in the other file. */
const [none, some, little] = [0, 1, 2];

/** Lines that occur more often than this in the other file are never worth much. */
const frequentMax = 1_024;

/** A power of two near the square root, not below it. */
export function roughRoot(count: number): number {
  return 2 ** Math.ceil(Math.log2(count + 1) / 2);
}

/** Lines on each side of a frequent one that decide about it. */
const neighboursMax = 100;
/** It goes where, of the run of lines around it, less than one in so many is a frequent line. */
const hopelessPerFrequent = 4;

function isAmongHopeless(hopes: Uint8Array, at: number): boolean {
  const before = runFrom(hopes, at, -1);
  const after = runFrom(hopes, at, 1);
  if (before.hopeless === 0 || after.hopeless === 0) return false;
  const frequent = before.frequent + after.frequent + 2;
  return frequent * hopelessPerFrequent < frequent + before.hopeless + after.hopeless;
}

/** Counts the lines next to one up to the first that has hope. */
function runFrom(hopes: Uint8Array, from: number, direction: 1 | -1) {
  const run = { hopeless: 0, frequent: 0 };
  for (let steps = 1; steps <= neighboursMax; steps += 1) {
    const hope = hopes[from + direction * steps];
    if (hope === none) run.hopeless += 1;
    else if (hope === little) run.frequent += 1;
    else break;
  }
  return run;
}
