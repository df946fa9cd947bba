/** Moves runs of changed lines to where git shows them: beside changes of the other file, else where indentation says. */

import type { Steps } from "../../lib/yield.ts";
import type { ChangedLines, FlaggedLines, LineChanges } from "./changed-lines.ts";
import { comparisonsPerStep } from "./edit-search.ts";
import { type SplitScore, scoreOfRun } from "./indentation.ts";

/** Slides the runs of both files. */
export function* slideChanges({ before, after }: LineChanges): Steps {
  const bestEndOf = (lines: ChangedLines) => (run: Run, from: number) => bestEnd(lines, run, from);
  yield* slideRuns(before, after, bestEndOf(before));
  yield* slideRuns(after, before, bestEndOf(after));
}

/** The same as merges do it: a run that is beside none of the other file stays at the bottom. */
export function* slideDown(one: FlaggedLines, other: FlaggedLines): Steps {
  yield* slideRuns(one, other, ({ end }) => end);
  yield* slideRuns(other, one, ({ end }) => end);
}

/** Lines up which the best place of a run is looked for. */
const slideMax = 100;

function* slideRuns(lines: FlaggedLines, others: FlaggedLines, bestEndFrom: (run: Run, from: number) => number): Steps {
  const run = new Run(lines);
  /** The run of the other file at the same place, often an empty one. */
  const other = new Run(others);
  let work = 0;
  do {
    if (run.length > 0) {
      let length: number;
      let highestEnd: number;
      let endBesideOther: number | undefined;
      do {
        length = run.length;
        endBesideOther = undefined;
        while (run.slideUp()) {
          other.toPrevious();
          work += 1;
        }
        highestEnd = run.end;
        if (other.length > 0) endBesideOther = run.end;
        while (run.slideDown()) {
          other.toNext();
          work += 1;
          if (other.length > 0) endBesideOther = run.end;
        }
      } while (length !== run.length);
      if (run.end > highestEnd) {
        const from = Math.max(highestEnd, run.end - length - 1, run.end - slideMax);
        const end = endBesideOther ?? bestEndFrom(run, from);
        while (run.end > end) {
          run.slideUp();
          other.toPrevious();
        }
      }
    }
    work += run.length + 1;
    if (work >= comparisonsPerStep) {
      work = 0;
      yield;
    }
    other.toNext();
  } while (run.toNext());
}

/** The last of the best places where a run can end, from `from` on. */
function bestEnd({ bytes, starts }: ChangedLines, { end: last, length }: Run, from: number): number {
  let [best, bestEnd] = [undefined as SplitScore | undefined, last];
  for (let end = from; end <= last; end += 1) {
    const score = scoreOfRun({ bytes, starts }, end - length, end);
    if (best === undefined || score.isAtLeast(best)) [best, bestEnd] = [score, end];
  }
  return bestEnd;
}

/** A run of changed lines, or the empty one between two unchanged lines. */
class Run {
  readonly #lines: FlaggedLines;
  #start = 0;
  #end = 0;

  constructor(lines: FlaggedLines) {
    this.#lines = lines;
    this.#extendDown();
  }

  /** The line behind the last one. */
  get end(): number {
    return this.#end;
  }

  get length(): number {
    return this.#end - this.#start;
  }

  /** Goes to the next run, behind one unchanged line; false at the end. */
  toNext(): boolean {
    if (this.#end === this.#lines.numbers.length) return false;
    this.#start = this.#end + 1;
    this.#end = this.#start;
    this.#extendDown();
    return true;
  }

  toPrevious(): void {
    if (this.#start === 0) return;
    this.#end = this.#start - 1;
    this.#start = this.#end;
    this.#extendUp();
  }

  /** Moves up by one line, where the line above is equal to the last one, and joins the run that it meets. */
  slideUp(): boolean {
    const { numbers, changed } = this.#lines;
    if (this.#start === 0 || numbers[this.#start - 1] !== numbers[this.#end - 1]) return false;
    this.#start -= 1;
    this.#end -= 1;
    changed[this.#start] = 1;
    changed[this.#end] = 0;
    this.#extendUp();
    return true;
  }

  slideDown(): boolean {
    const { numbers, changed } = this.#lines;
    if (this.#end === numbers.length || numbers[this.#start] !== numbers[this.#end]) return false;
    changed[this.#start] = 0;
    changed[this.#end] = 1;
    this.#start += 1;
    this.#end += 1;
    this.#extendDown();
    return true;
  }

  #extendUp(): void {
    while (this.#lines.changed[this.#start - 1] === 1) this.#start -= 1;
  }

  #extendDown(): void {
    while (this.#lines.changed[this.#end] === 1) this.#end += 1;
  }
}
