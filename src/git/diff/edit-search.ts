/** The search for the fewest edits between two lists, by Myers from both ends at once, with the shortcuts that git takes. */

import type { Steps } from "../../lib/yield.ts";
import { roughRoot } from "./hopeless-lines.ts";

/** The lines of one file that are compared, and where their changes are noted. */
export interface Compared {
  /** Numbers of the lines. */
  readonly lines: Int32Array;
  /** Their places in the file. */
  readonly places: Int32Array;
  /** 1 for each line of the file that changes. */
  readonly changed: Uint8Array;
}

/** Parts of both lists: lines from `start` to before `end` of each. */
interface Box {
  readonly startX: number;
  readonly endX: number;
  readonly startY: number;
  readonly endY: number;
  /** Whether the fewest edits are wanted, at any cost. */
  readonly isExact: boolean;
}

/** The point where a box is divided, and whether the boxes before and after it are searched without shortcuts. */
interface Split {
  readonly x: number;
  readonly y: number;
  readonly isBeforeExact: boolean;
  readonly isAfterExact: boolean;
}

/** Edits after which the search takes what got furthest, in short lists. */
const costMin = 256;
/** The product of lines and edits, which the time grows with: longer lists than git's would take that much. */
const comparisonsMax = 50_000_000;
const cheapestCost = 64;
/** Comparisons of one step. */
export const comparisonsPerStep = 8_192;
const unreached = 0x7fff_ffff;

/** Notes the lines that differ. */
export function* markEdits(before: Compared, after: Compared): Steps {
  const [xs, ys] = [before.lines, after.lines];
  const search = new Search(xs, ys);
  const boxes: Box[] = [{ startX: 0, endX: xs.length, startY: 0, endY: ys.length, isExact: false }];
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    let { startX, endX, startY, endY } = box;
    while (startX < endX && startY < endY && xs[startX] === ys[startY]) [startX, startY] = [startX + 1, startY + 1];
    while (startX < endX && startY < endY && xs[endX - 1] === ys[endY - 1]) [endX, endY] = [endX - 1, endY - 1];
    if (startX === endX) mark(after, startY, endY);
    else if (startY === endY) mark(before, startX, endX);
    else {
      const { isExact } = box;
      const { x, y, isBeforeExact, isAfterExact } = yield* search.split({ startX, endX, startY, endY, isExact });
      boxes.push({ startX: x, endX, startY: y, endY, isExact: isAfterExact });
      boxes.push({ startX, endX: x, startY, endY: y, isExact: isBeforeExact });
    }
    if (search.isStepOver(endX - startX + endY - startY + 1)) yield;
  }
}

function mark({ places, changed }: Compared, start: number, end: number): void {
  for (let at = start; at < end; at += 1) changed[places[at] as number] = 1;
}

/** Equal lines in a row that make a path interesting. */
const snakeLength = 20;
/** The edits before interesting paths are looked for, and the lines that one has to be ahead for each edit. */
const heuristicCost = 256;
const aheadPerEdit = 4;

/** Both directions of the search: the x that is furthest on each diagonal, x - y. */
class Search {
  readonly #xs: Int32Array;
  readonly #ys: Int32Array;
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  /** The place of diagonal 0. */
  readonly #zero: number;
  readonly #costMax: number;
  #work = 0;

  constructor(xs: Int32Array, ys: Int32Array) {
    this.#xs = xs;
    this.#ys = ys;
    const diagonals = xs.length + ys.length + 3;
    this.#forward = new Int32Array(diagonals);
    this.#backward = new Int32Array(diagonals);
    this.#zero = ys.length + 1;
    const affordable = Math.max(cheapestCost, Math.floor(comparisonsMax / diagonals));
    this.#costMax = Math.min(affordable, Math.max(costMin, roughRoot(diagonals)));
  }

  /** Counts work; true where others should have their turn. */
  isStepOver(work: number): boolean {
    this.#work += work;
    if (this.#work < comparisonsPerStep) return false;
    this.#work = 0;
    return true;
  }

  /** Divides a box, whose first lines differ and whose last ones do. */
  *split(box: Box): Steps<Split> {
    const { startX, endX, startY, endY, isExact } = box;
    const [xs, ys, zero] = [this.#xs, this.#ys, this.#zero];
    const [forward, backward] = [this.#forward, this.#backward];
    const [lowest, highest] = [startX - endY, endX - startY];
    const [forwardMid, backwardMid] = [startX - startY, endX - endY];
    const meetsForward = ((forwardMid - backwardMid) & 1) !== 0;
    let [forwardLow, forwardHigh, backwardLow, backwardHigh] = [forwardMid, forwardMid, backwardMid, backwardMid];
    forward[zero + forwardMid] = startX;
    backward[zero + backwardMid] = endX;
    for (let cost = 1; ; cost += 1) {
      let hasSnake = false;
      if (forwardLow > lowest) forward[zero + --forwardLow - 1] = -1;
      else forwardLow += 1;
      if (forwardHigh < highest) forward[zero + ++forwardHigh + 1] = -1;
      else forwardHigh -= 1;
      for (let d = forwardHigh; d >= forwardLow; d -= 2) {
        const below = forward[zero + d - 1] as number;
        const above = forward[zero + d + 1] as number;
        const first = below >= above ? below + 1 : above;
        let x = first;
        while (x < endX && x - d < endY && xs[x] === ys[x - d]) x += 1;
        if (x - first > snakeLength) hasSnake = true;
        forward[zero + d] = x;
        const isMet = meetsForward && backwardLow <= d && d <= backwardHigh && (backward[zero + d] as number) <= x;
        if (isMet) return { x, y: x - d, isBeforeExact: true, isAfterExact: true };
        if (this.isStepOver(x - first + 1)) yield;
      }
      if (backwardLow > lowest) backward[zero + --backwardLow - 1] = unreached;
      else backwardLow += 1;
      if (backwardHigh < highest) backward[zero + ++backwardHigh + 1] = unreached;
      else backwardHigh -= 1;
      for (let d = backwardHigh; d >= backwardLow; d -= 2) {
        const below = backward[zero + d - 1] as number;
        const above = backward[zero + d + 1] as number;
        const first = below < above ? below : above - 1;
        let x = first;
        while (x > startX && x - d > startY && xs[x - 1] === ys[x - d - 1]) x -= 1;
        if (first - x > snakeLength) hasSnake = true;
        backward[zero + d] = x;
        const isMet = !meetsForward && forwardLow <= d && d <= forwardHigh && x <= (forward[zero + d] as number);
        if (isMet) return { x, y: x - d, isBeforeExact: true, isAfterExact: true };
        if (this.isStepOver(first - x + 1)) yield;
      }
      if (isExact) continue;
      const reached = { box, cost, forwardLow, forwardHigh, backwardLow, backwardHigh };
      const interesting = hasSnake && cost > heuristicCost ? this.#interesting(reached) : undefined;
      if (interesting !== undefined) return interesting;
      if (cost >= this.#costMax) return this.#furthest(reached);
    }
  }

  /** The path that is furthest ahead for its edits and ends in a row of equal lines. */
  #interesting({ box, cost, ...reached }: Reached): Split | undefined {
    const { startX, endX, startY, endY } = box;
    const isRow = (x: number, y: number) => {
      for (let at = 0; at < snakeLength; at += 1) if (this.#xs[x + at] !== this.#ys[y + at]) return false;
      return true;
    };
    let [best, found] = [aheadPerEdit * cost, undefined as Split | undefined];
    for (let d = reached.forwardHigh; d >= reached.forwardLow; d -= 2) {
      const x = this.#forward[this.#zero + d] as number;
      const y = x - d;
      const ahead = x - startX + (y - startY) - Math.abs(d - (startX - startY));
      if (ahead <= best || x < startX + snakeLength || x >= endX || y < startY + snakeLength || y >= endY) continue;
      if (!isRow(x - snakeLength, y - snakeLength)) continue;
      [best, found] = [ahead, { x, y, isBeforeExact: true, isAfterExact: false }];
    }
    if (found !== undefined) return found;
    for (let d = reached.backwardHigh; d >= reached.backwardLow; d -= 2) {
      const x = this.#backward[this.#zero + d] as number;
      const y = x - d;
      const ahead = endX - x + (endY - y) - Math.abs(d - (endX - endY));
      if (ahead <= best || x <= startX || x > endX - snakeLength || y <= startY || y > endY - snakeLength) continue;
      if (!isRow(x, y)) continue;
      [best, found] = [ahead, { x, y, isBeforeExact: false, isAfterExact: true }];
    }
    return found;
  }

  /** The furthest path of either direction. */
  #furthest({ box, ...reached }: Reached): Split {
    const { startX, endX, startY, endY } = box;
    let [forwardSum, forwardX] = [-1, -1];
    for (let d = reached.forwardHigh; d >= reached.forwardLow; d -= 2) {
      let x = Math.min(this.#forward[this.#zero + d] as number, endX);
      if (x - d > endY) x = endY + d;
      if (forwardSum < 2 * x - d) [forwardSum, forwardX] = [2 * x - d, x];
    }
    let [backwardSum, backwardX] = [unreached, unreached];
    for (let d = reached.backwardHigh; d >= reached.backwardLow; d -= 2) {
      let x = Math.max(startX, this.#backward[this.#zero + d] as number);
      if (x - d < startY) x = startY + d;
      if (2 * x - d < backwardSum) [backwardSum, backwardX] = [2 * x - d, x];
    }
    return endX + endY - backwardSum < forwardSum - (startX + startY)
      ? { x: forwardX, y: forwardSum - forwardX, isBeforeExact: true, isAfterExact: false }
      : { x: backwardX, y: backwardSum - backwardX, isBeforeExact: false, isAfterExact: true };
  }
}

/** The diagonals that a search has reached. */
interface Reached {
  readonly box: Box;
  readonly cost: number;
  readonly forwardLow: number;
  readonly forwardHigh: number;
  readonly backwardLow: number;
  readonly backwardHigh: number;
}
