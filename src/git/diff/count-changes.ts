import type { Steps } from "../../lib/yield.ts";
import { findChangedLines } from "./changed-lines.ts";
import { countLines } from "./lines.ts";

/** Lines that a change adds and removes. */
export interface LineCounts {
  readonly additions: number;
  readonly deletions: number;
}

/** Lines of two files that are compared; more of them all count as changed. */
const linesMax = 200_000;

/** Counts the lines that differ between two files, as git does. */
export function* countChanges(before: Uint8Array, after: Uint8Array): Steps<LineCounts> {
  const [deletions, additions] = [countLines(before), countLines(after)];
  if (deletions === 0 || additions === 0 || deletions + additions > linesMax) return { additions, deletions };
  const found = yield* findChangedLines(before, after);
  return { additions: countOf(found.after.changed), deletions: countOf(found.before.changed) };
}

function countOf(changed: Uint8Array): number {
  let count = 0;
  for (const each of changed) count += each;
  return count;
}
