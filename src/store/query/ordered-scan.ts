import type { Position } from "../../domain/page.ts";
import { spend } from "../../domain/work-budget.ts";
import type { StoredDocument } from "../indexes/index.ts";
import { KeyRange } from "../indexes/key-range.ts";
import type { OrderedIndex } from "../indexes/ordered-index.ts";
import type { Bitmap } from "./bitmap.ts";
import { asBitmap, type IdSet } from "./id-set.ts";

/** The part of the sorted candidates that a query returns. */
export interface ScanRange {
  readonly descending: boolean;
  /** The position after which the part begins. */
  readonly after: Position | undefined;
  readonly skip: number;
  readonly limit: number;
}

/** The cost per candidate of selecting the first ones, in steps of a walk. Measured. */
const pickCost = 20;
const sortCost = 100;
/** The number of ids up to which selection is used. More are sorted as a whole. */
const pickMax = 256;
/** The steps per sorted candidate. */
const sortedSteps = 20;
/** A walk may take this many times the expected steps before sorting is used: candidates may lie close together. */
const patience = 4;
/** A number above every id. */
const idMax = 2 ** 32 - 1;
/** Steps that are cheaper than an estimate. */
const freeSteps = 2_048;

/**
 * Returns a part of the candidates in order, in the cheaper way of two. A walk along the order, from the nearer end, meets a
 * candidate in every `order.size / candidates.size` entries; sorting reads every candidate.
 */
export function partOf<T extends StoredDocument>(order: OrderedIndex<T>, candidates: IdSet, part: ScanRange): number[] {
  const { descending, after, skip, limit } = part;
  const count = candidates.size;
  if (after === undefined && skip >= count) return [];
  const isNearerEnd = after === undefined && skip * 2 > count;
  const taken = Math.min(limit, count - skip);
  const ids = isNearerEnd
    ? partFromStart(order, candidates, { descending: !descending, after, skip: count - skip - taken, limit: taken })
    : partFromStart(order, candidates, part);
  return isNearerEnd ? ids.reverse() : ids;
}

function partFromStart<T extends StoredDocument>(order: OrderedIndex<T>, candidates: IdSet, part: ScanRange): number[] {
  const needed = part.skip + part.limit;
  const stepsExpected = (needed * order.size * askingCost(candidates)) / Math.max(1, candidates.size);
  if (order.isById && candidates.size > pickMax) {
    // Times ascend with ids, so a range lies at one end, and a walk there needs no bitmap.
    const stepsMax = freeSteps + patience * stepsExpected;
    const picked = candidates instanceof KeyRange ? order.pick(candidates, { ...part, stepsMax }) : undefined;
    return picked ?? partOfBits(asBitmap(candidates), part);
  }
  const stepsOfSorting = candidates.size * (needed > pickMax ? sortCost : pickCost);
  if (stepsExpected <= stepsOfSorting) {
    const stepsMax = freeSteps + Math.max(stepsOfSorting, patience * stepsExpected);
    const picked = order.pick(candidates, { ...part, stepsMax });
    if (picked !== undefined) return picked;
  }
  const ids: number[] = [];
  let skipped = 0;
  for (const id of sortedCandidates(order, candidates, part.descending, part.after, needed)) {
    if (skipped < part.skip) skipped += 1;
    else if (ids.push(id) === part.limit) break;
  }
  return ids;
}

/** Returns the steps for testing one id of a set: a bit, a comparison of keys, or a binary search. */
function askingCost(candidates: IdSet): number {
  if (candidates instanceof KeyRange) return 4;
  return candidates.bits === undefined ? 10 : 1;
}

function partOfBits(bits: Bitmap, { descending, after, skip, limit }: ScanRange): number[] {
  const ids: number[] = [];
  const next = (id: number) => (descending ? bits.lastUpTo(id - 1) : bits.firstFrom(id + 1));
  let skipped = 0;
  for (let id = next(after?.id ?? (descending ? idMax : -1)); id !== undefined; id = next(id)) {
    spend(1);
    if (skipped < skip) skipped += 1;
    else if (ids.push(id) === limit) break;
  }
  return ids;
}

/** Yields candidates in order, after `after`. At least the first `needed` are cheap. */
export function* sortedCandidates<T extends StoredDocument>(
  order: OrderedIndex<T>,
  candidates: Iterable<number>,
  descending: boolean,
  after: Position | undefined,
  needed: number,
): Generator<number> {
  const compare = descending ? (a: Position, b: Position) => comparePositions(b, a) : comparePositions;
  const rest: Position[] = [];
  const first: Position[] = [];
  for (const id of candidates) {
    spend(sortedSteps);
    const position = order.positionOf(id);
    if (after !== undefined && compare(position, after) <= 0) continue;
    if (needed > pickMax) {
      rest.push(position);
      continue;
    }
    const last = first[needed - 1];
    if (last === undefined || compare(position, last) < 0) insertInOrder(first, position, compare);
    else rest.push(position);
    if (first.length > needed) rest.push(first.pop() as Position);
  }
  for (const { id } of first) yield id;
  for (const { id } of rest.sort(compare)) yield id;
}

function insertInOrder(sorted: Position[], position: Position, compare: (a: Position, b: Position) => number): void {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(sorted[middle] as Position, position) < 0) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, position);
}

function comparePositions(a: Position, b: Position): number {
  if (a.key === b.key) return a.id - b.id;
  return a.key < b.key ? -1 : 1;
}
