/** The places where people would divide a text, as git's indent heuristic judges them. */

import type { FileLines } from "./lines.ts";

type Text = Pick<FileLines, "bytes" | "starts">;

/** The penalties of git's indent heuristic for a place to split at; git found them by trials on much code. */
const cost = {
  startOfFile: 1,
  endOfFile: 21,
  blankLine: -30,
  blankLineBelow: 6,
  indented: -4,
  indentedBehindBlank: 10,
  /** Less indented than the line above, and the line below more: such as `else`. */
  outdented: 24,
  outdentedBehindBlank: 17,
  dedented: 23,
  dedentedBehindBlank: 17,
} as const;
/** One column of indentation is worth as much. */
const indentWeight = 60;

/** A score of a place for a run of lines: lower is better. */
export class SplitScore {
  readonly #indent: number;
  readonly #penalty: number;

  constructor(indent: number, penalty: number) {
    this.#indent = indent;
    this.#penalty = penalty;
  }

  /** Whether this place is as good as the other one, or better. */
  isAtLeast(other: SplitScore): boolean {
    return indentWeight * Math.sign(this.#indent - other.#indent) + this.#penalty - other.#penalty <= 0;
  }
}

/** The score of a run that begins and ends before these lines. */
export function scoreOfRun(text: Text, start: number, end: number): SplitScore {
  const [above, below] = [costOfSplit(text, end), costOfSplit(text, start)];
  return new SplitScore(above.indent + below.indent, above.penalty + below.penalty);
}

function costOfSplit(text: Text, line: number): { readonly indent: number; readonly penalty: number } {
  const lineCount = text.starts.length - 1;
  const own = line < lineCount ? indentOf(text, line) : undefined;
  const above = indentBeyond(text, line, -1);
  const below = indentBeyond(text, line, 1);
  const blanksBelow = own === undefined ? 1 + below.blanks : 0;
  const blanks = above.blanks + blanksBelow;
  let penalty = cost.blankLine * blanks + cost.blankLineBelow * blanksBelow;
  if (above.indent === undefined && above.blanks === 0) penalty += cost.startOfFile;
  if (line >= lineCount) penalty += cost.endOfFile;
  const indent = own ?? below.indent;
  if (indent === undefined || above.indent === undefined || indent === above.indent) {
    return { indent: indent ?? -1, penalty };
  }
  const isBehindBlank = blanks !== 0;
  if (indent > above.indent) penalty += isBehindBlank ? cost.indentedBehindBlank : cost.indented;
  else if (below.indent !== undefined && below.indent > indent) {
    penalty += isBehindBlank ? cost.outdentedBehindBlank : cost.outdented;
  } else penalty += isBehindBlank ? cost.dedentedBehindBlank : cost.dedented;
  return { indent, penalty };
}

/** Blank lines in a row that are looked at; after them, text counts as not indented. */
const blanksMax = 20;

/** The indentation of the next line that is not blank, undefined at the end of the file, and the blank lines before it. */
function indentBeyond(text: Text, line: number, direction: 1 | -1) {
  const lineCount = text.starts.length - 1;
  let blanks = 0;
  for (let at = line + direction; at >= 0 && at < lineCount; at += direction) {
    const indent = indentOf(text, at);
    if (indent !== undefined) return { indent, blanks };
    blanks += 1;
    if (blanks === blanksMax) return { indent: 0, blanks };
  }
  return { indent: undefined, blanks };
}

const indentMax = 200;
const tabWidth = 8;
const [tab, lineFeed, carriageReturn, space] = [0x09, 0x0a, 0x0d, 0x20];

/** Columns before the text of a line; undefined for a blank one. */
function indentOf({ bytes, starts }: Text, line: number): number | undefined {
  let indent = 0;
  for (let at = starts[line] as number; at < (starts[line + 1] as number); at += 1) {
    const byte = bytes[at];
    if (byte === space) indent += 1;
    else if (byte === tab) indent += tabWidth - (indent % tabWidth);
    else if (byte !== lineFeed && byte !== carriageReturn) return indent;
    if (indent >= indentMax) return indentMax;
  }
  return undefined;
}
