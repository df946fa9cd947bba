/** Finds the lines that change between two files. */

import type { Steps } from "../../lib/yield.ts";
import { type Compared, markEdits } from "./edit-search.ts";
import { linesWithHope } from "./hopeless-lines.ts";
import { type FileLines, numberLines } from "./lines.ts";

/** A file in lines, and which of them are removed or added. */
export interface ChangedLines extends FileLines {
  /** 1 for each line that changes; one more item, which is 0, stands for the end. */
  readonly changed: Uint8Array;
}

/** A file whose lines are only compared. */
export type FlaggedLines = Pick<ChangedLines, "numbers" | "changed">;

/** Both sides of a change. */
export interface LineChanges {
  readonly before: ChangedLines;
  readonly after: ChangedLines;
}

/** Finds the changed lines, as git does before it slides them. */
export function* findChangedLines(before: Uint8Array, after: Uint8Array): Steps<LineChanges> {
  const lines = yield* numberLines(before, after);
  const [one, other] = [withFlags(lines.before), withFlags(lines.after)];
  yield* markChanges(one, other);
  return { before: one, after: other };
}

/** Notes the lines that differ. */
export function* markChanges(one: FlaggedLines, other: FlaggedLines): Steps {
  const shorter = Math.min(one.numbers.length, other.numbers.length);
  let start = 0;
  while (start < shorter && one.numbers[start] === other.numbers[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.numbers.at(-1 - end) === other.numbers.at(-1 - end)) end += 1;
  yield* markEdits(compared(one, start, end, other), compared(other, start, end, one));
}

export function withFlags<L extends Pick<FileLines, "numbers">>(lines: L): L & Pick<ChangedLines, "changed"> {
  return { ...lines, changed: new Uint8Array(lines.numbers.length + 1) };
}

/** The lines of a file that are compared; those without hope are noted as changed. */
function compared(
  { numbers, changed }: FlaggedLines,
  start: number,
  endLength: number,
  other: Pick<FileLines, "numbers">,
): Compared {
  const end = numbers.length - endLength;
  const places = linesWithHope({ numbers, start, end }, other.numbers);
  changed.fill(1, start, end);
  for (const place of places) changed[place] = 0;
  return { lines: places.map((place) => numbers[place] as number), places, changed };
}
