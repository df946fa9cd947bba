/** Unions of sets of ids. */

import { Bitmap, type IdSet } from "../../../store/index.ts";

/** A new set. */
export function union(one: IdSet, ...others: readonly (IdSet | Iterable<number>)[]): Bitmap {
  const all = bitsOf(one).copy();
  for (const other of others) all.orWith(bitsOf(other));
  return all;
}

/** Takes the bits of an index as they are, without a walk over the ids. Not to be changed. */
function bitsOf(set: IdSet | Iterable<number>): Bitmap {
  return "bits" in set && set.bits !== undefined ? set.bits : Bitmap.of(set);
}
