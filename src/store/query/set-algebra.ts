import { spend } from "../../domain/work-budget.ts";
import { KeyRange } from "../indexes/key-range.ts";
import { Bitmap } from "./bitmap.ts";
import { asBitmap, type IdSet } from "./id-set.ts";
import { Postings } from "./postings.ts";
import { UnionSet } from "./union-set.ts";

/** Sets up to this size are lists of ids, larger ones are bitmaps. */
export const smallMax = 1_000;
/** A range with less than one id in this many becomes a list, not a bitmap. */
const listedShare = 32;
/** Testing an id by its key takes as long as adding this many ids of a range to a bitmap. */
const askedShare = 64;

/** The steps per id that comes from a generator and goes to a distant bit. */
const stepsPerId = 2;

export function setOfIds(ids: Iterable<number>): IdSet {
  const few = new Set<number>();
  let many: Bitmap | undefined;
  for (const id of ids) {
    spend(stepsPerId);
    if (many !== undefined) many.add(id);
    else if (few.add(id).size > smallMax) many = Bitmap.of(few);
  }
  return many ?? few;
}

/** Returns the ids that are in any of the sets. */
export function unionOf(sets: readonly IdSet[]): IdSet {
  const [only] = sets;
  if (sets.length === 1 && only !== undefined) return only;
  const union = new UnionSet(sets);
  return union.sizeMax <= smallMax ? new Set(sets.flatMap((set) => [...set])) : union;
}

/** Returns the ids in every set of `all` (at least one) and in none of `none`. May return one of the sets itself. */
export function intersectionOf(all: readonly IdSet[], none: readonly IdSet[]): IdSet {
  const [first, ...others] = bySize(all);
  if (others.length === 0 && none.length === 0) return first;
  if (isListed(first, [...others, ...none])) return setOfIds(listed(first, others, none));
  const [second, ...rest] = others;
  const result = second === undefined ? asBitmap(first).copy() : asBitmap(first).and(asBitmap(second));
  for (const set of rest) result.andWith(asBitmap(set));
  for (const set of none) result.andNotWith(asBitmap(set));
  return result;
}

/** The size of a result, and of a part of it. */
export interface PartCount {
  readonly all: number;
  /** 0 when no part was given. */
  readonly part: number;
}

/** Returns the size of `intersectionOf` without building it, and the size of its intersection with `part`. */
export function countOfSets(all: readonly IdSet[], none: readonly IdSet[], part?: IdSet): PartCount {
  const [first, ...others] = bySize(all);
  if (others.length === 0 && none.length === 0 && part === undefined) return { all: first.size, part: 0 };
  if (!isListed(first, [...others, ...none])) {
    return Bitmap.countOf([first, ...others].map(asBitmap), none.map(asBitmap), part && asBitmap(part));
  }
  const counted = { all: 0, part: 0 };
  for (const id of listed(first, others, none)) {
    counted.all += 1;
    if (part?.has(id) === true) counted.part += 1;
  }
  return counted;
}

function bySize(sets: readonly IdSet[]): [IdSet, ...IdSet[]] {
  return sets.toSorted((a, b) => sizeMaxOf(a) - sizeMaxOf(b)) as [IdSet, ...IdSet[]];
}

/** Returns an upper bound of the size. The exact size of a union would need building it. */
export function sizeMaxOf(set: IdSet): number {
  return set instanceof UnionSet ? set.sizeMax : set.size;
}

/** True when testing each id of the smallest set is cheaper than making bitmaps of all sets. */
function isListed(set: IdSet, others: readonly IdSet[]): boolean {
  if (sizeMaxOf(set) <= smallMax) return true;
  if (others.some((each) => each instanceof KeyRange && each.size > set.size * askedShare)) return true;
  return set instanceof KeyRange && set.size * listedShare < set.order.size;
}

/** Yields the ids of the first set that are in all of `all` and in none of `none`. */
function* listed(first: IdSet, all: readonly IdSet[], none: readonly IdSet[]): Generator<number> {
  const prepared = (set: IdSet) => (first.size > smallMax ? withFastTests(set) : set);
  const others = all.map(prepared);
  const excluded = none.map(prepared);
  const stepsEach = 1 + others.length + excluded.length;
  for (const id of first) {
    spend(stepsEach);
    let holds = true;
    for (let i = 0; holds && i < others.length; i += 1) holds = (others[i] as IdSet).has(id);
    for (let i = 0; holds && i < excluded.length; i += 1) holds = !(excluded[i] as IdSet).has(id);
    if (holds) yield id;
  }
}

/** Returns a set with fast tests. A list needs a binary search per test, so a bitmap pays for many tests. */
function withFastTests(set: IdSet): IdSet {
  return set instanceof Postings ? asBitmap(set) : set;
}
