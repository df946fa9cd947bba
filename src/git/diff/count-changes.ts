import type { Steps } from "../../lib/yield.ts";
import { countLines, type NumberedLines, numberLines } from "./lines.ts";

/** Lines that a change adds and removes. */
export interface LineCounts {
  readonly additions: number;
  readonly deletions: number;
}

/** Lines of two files that are compared; more of them all count as changed. */
const linesMax = 200_000;

/** Counts the lines that differ between two files, as git does: the fewest, but for the exceptions below. */
export function* countChanges(before: Uint8Array, after: Uint8Array): Steps<LineCounts> {
  const [deletions, additions] = [countLines(before), countLines(after)];
  if (deletions === 0 || additions === 0 || deletions + additions > linesMax) return { additions, deletions };
  const all = yield* numberLines(before, after);
  const lines = withoutEqualEnds(all);
  const kept = withoutHopeless(lines, all);
  const edits = yield* countEdits(kept.before, kept.after);
  const [removed, added] = [lines.before.length - kept.before.length, lines.after.length - kept.after.length];
  const surplus = kept.after.length - kept.before.length;
  return { additions: added + (edits + surplus) / 2, deletions: removed + (edits - surplus) / 2 };
}

function withoutEqualEnds({ before, after }: NumberedLines): NumberedLines {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { before: before.slice(start, before.length - end), after: after.slice(start, after.length - end) };
}

/**
 * Leaves out lines that the other file does not have; and as git does, lines that it has many times, where nearly all lines
 * around them have gone: such as braces and empty lines in a part that was written anew.
 */
function withoutHopeless({ before, after }: NumberedLines, all: NumberedLines): NumberedLines {
  return {
    before: linesWithHope(before, all.before.length, all.after),
    after: linesWithHope(after, all.after.length, all.before),
  };
}

/** The chances of a line to be found in the other file. */
const [none, some, little] = [0, 1, 2];

/** Lines that occur more often than this in the other file are never worth much. */
const frequentMax = 1_024;

function linesWithHope(lines: readonly number[], ofFile: number, others: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  const frequent = Math.min(roughRoot(ofFile), frequentMax);
  const hopes = Uint8Array.from(lines, (line) => {
    const count = counts.get(line) ?? 0;
    if (count === 0) return none;
    return count >= frequent ? little : some;
  });
  return lines.filter((_, at) => {
    if (hopes[at] === little) return !isAmongHopeless(hopes, at);
    return hopes[at] === some;
  });
}

/** A power of two near the square root, not below it. */
function roughRoot(count: number): number {
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

/** Edits after which the search goes on from where it got furthest, in short files: what it finds is not the fewest then. */
const editsMax = 1_024;
const editsMin = 64;
/** The product of lines and edits, which the time grows with. */
const comparisonsMax = 50_000_000;
const comparisonsPerStep = 8_192;

/** The number of lines to remove and add that makes one list the other, by the greedy search of Myers. */
function* countEdits(before: readonly number[], after: readonly number[]): Steps<number> {
  const affordable = Math.floor(comparisonsMax / (before.length + after.length + 1));
  const lookAhead = Math.max(editsMin, Math.min(affordable, editsMax));
  let [startX, startY, edits, work] = [0, 0, 0, 0];
  for (;;) {
    const [width, height] = [before.length - startX, after.length - startY];
    const limit = Math.min(width + height, lookAhead);
    // The furthest x on each diagonal, x - y = k, at k + offset.
    const furthest = new Int32Array(2 * limit + 3);
    const offset = limit + 1;
    let best = 0;
    for (let count = 0; count <= limit; count += 1) {
      best = 0;
      for (let k = -count; k <= count; k += 2) {
        const isDown =
          k === -count || (k !== count && (furthest[offset + k - 1] as number) < (furthest[offset + k + 1] as number));
        let x = isDown ? (furthest[offset + k + 1] as number) : (furthest[offset + k - 1] as number) + 1;
        const first = x;
        while (x < width && x - k < height && before[startX + x] === after[startY + x - k]) x += 1;
        furthest[offset + k] = x;
        if (x >= width && x - k >= height) return edits + count;
        // Diagonals that have left the lists lead nowhere.
        const isInside = x <= width && x - k <= height;
        if (isInside && 2 * x - k > best) best = 2 * x - k;
        work += x - first + 1;
        if (work >= comparisonsPerStep) {
          work = 0;
          yield;
        }
      }
    }
    for (let k = -limit; k <= limit; k += 2) {
      const x = furthest[offset + k] as number;
      if (2 * x - k !== best || x > width || x - k > height) continue;
      [startX, startY] = [startX + x, startY + x - k];
      edits += limit;
      break;
    }
  }
}
