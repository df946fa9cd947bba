/** The changes between two lists of lines as merges look for them: git's histogram diff, which begins at rare lines. */

import type { Steps } from "../../lib/yield.ts";
import { type FlaggedLines, markChanges, withFlags } from "../diff/changed-lines.ts";
import { comparisonsPerStep } from "../diff/edit-search.ts";
import { type LineChange, listChanges } from "../diff/hunks.ts";
import { slideDown } from "../diff/slide-changes.ts";

/** Lines that occur more often do not divide a file. */
const occurrencesMax = 64;

/** Parts of both lists: lines from `start` to before `end` of each. */
interface Box {
  readonly startX: number;
  readonly endX: number;
  readonly startY: number;
  readonly endY: number;
}

/** The places where a line is. */
interface Occurrences {
  first: number;
  count: number;
}

/** Lists the changes, in order. */
export function* histogramChanges(before: readonly number[], after: readonly number[]): Steps<LineChange[]> {
  const [one, other] = [withFlags({ numbers: before }), withFlags({ numbers: after })];
  const boxes: Box[] = [{ startX: 0, endX: before.length, startY: 0, endY: after.length }];
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    const { startX, endX, startY, endY } = box;
    if (startX === endX || startY === endY) {
      one.changed.fill(1, startX, endX);
      other.changed.fill(1, startY, endY);
      continue;
    }
    const search = new BoxSearch(before, after, box);
    yield* search.run();
    const { best } = search;
    if (search.isTooFrequent) yield* markBySearch(one, other, box);
    else if (best === undefined) {
      one.changed.fill(1, startX, endX);
      other.changed.fill(1, startY, endY);
    } else {
      boxes.push({ startX: best.endX, endX, startY: best.endY, endY });
      boxes.push({ startX, endX: best.startX, startY, endY: best.startY });
    }
  }
  yield* slideDown(one, other);
  return listChanges({ before: one, after: other });
}

/** The usual search takes over where only frequent lines are common. */
function* markBySearch(one: FlaggedLines, other: FlaggedLines, { startX, endX, startY, endY }: Box): Steps {
  const x = withFlags({ numbers: one.numbers.slice(startX, endX) });
  const y = withFlags({ numbers: other.numbers.slice(startY, endY) });
  yield* markChanges(x, y);
  one.changed.set(x.changed.subarray(0, endX - startX), startX);
  other.changed.set(y.changed.subarray(0, endY - startY), startY);
}

/** The search for the run of common lines, the rarest of which is the rarest of all. */
class BoxSearch {
  readonly #xs: readonly number[];
  readonly #ys: readonly number[];
  readonly #box: Box;
  readonly #occurrences = new Map<number, Occurrences>();
  readonly #next: Int32Array;
  #fewest = occurrencesMax + 1;
  #hasCommon = false;
  #work = 0;
  best: Box | undefined;

  constructor(xs: readonly number[], ys: readonly number[], box: Box) {
    this.#xs = xs;
    this.#ys = ys;
    this.#box = box;
    this.#next = new Int32Array(box.endX - box.startX).fill(-1);
  }

  /** Whether there are common lines, and all of them are frequent. */
  get isTooFrequent(): boolean {
    return this.#hasCommon && this.#fewest > occurrencesMax;
  }

  *run(): Steps {
    const { startX, endX, startY, endY } = this.#box;
    for (let x = endX - 1; x >= startX; x -= 1) {
      const line = this.#xs[x] as number;
      const known = this.#occurrences.get(line);
      if (known === undefined) this.#occurrences.set(line, { first: x, count: 1 });
      else {
        this.#next[x - startX] = known.first;
        known.first = x;
        known.count += 1;
      }
      if (this.#isStepOver(1)) yield;
    }
    for (let y = startY; y < endY; ) {
      const next = this.#tryLine(y);
      if (this.#isStepOver(1)) yield;
      y = next;
    }
  }

  /** Looks at the runs that have a line. Returns the next line to look at. */
  #tryLine(y: number): number {
    const { startX, endX, startY, endY } = this.#box;
    const [xs, ys] = [this.#xs, this.#ys];
    const found = this.#occurrences.get(ys[y] as number);
    let next = y + 1;
    if (found === undefined) return next;
    this.#hasCommon = true;
    if (found.count > this.#fewest) return next;
    for (let x = found.first; x !== -1; ) {
      let [beginX, beginY, endOfX, endOfY] = [x, y, x + 1, y + 1];
      let rarest = found.count;
      while (beginX > startX && beginY > startY && xs[beginX - 1] === ys[beginY - 1]) {
        [beginX, beginY] = [beginX - 1, beginY - 1];
        if (rarest > 1) rarest = Math.min(rarest, this.#countOf(beginX));
      }
      while (endOfX < endX && endOfY < endY && xs[endOfX] === ys[endOfY]) {
        if (rarest > 1) rarest = Math.min(rarest, this.#countOf(endOfX));
        [endOfX, endOfY] = [endOfX + 1, endOfY + 1];
      }
      this.#work += endOfX - beginX;
      next = Math.max(next, endOfY);
      // A first run of one line has to be rare, as in git.
      const length = this.best === undefined ? 1 : this.best.endX - this.best.startX;
      if (length < endOfX - beginX || rarest < this.#fewest) {
        this.best = { startX: beginX, endX: endOfX, startY: beginY, endY: endOfY };
        this.#fewest = rarest;
      }
      let following = this.#next[x - startX] as number;
      while (following !== -1 && following < endOfX) following = this.#next[following - startX] as number;
      x = following;
    }
    return next;
  }

  #countOf(x: number): number {
    return this.#occurrences.get(this.#xs[x] as number)?.count ?? 0;
  }

  #isStepOver(work: number): boolean {
    this.#work += work;
    if (this.#work < comparisonsPerStep) return false;
    this.#work = 0;
    return true;
  }
}
