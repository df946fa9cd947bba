import { Bitmap } from "./bitmap.ts";
import { Postings } from "./postings.ts";

/** What sets of ids have in common, however they are kept: `Bitmap`, `Postings` and `ReadonlySet` are some. */
export interface IdSet extends Iterable<number> {
  readonly size: number;
  has(id: number): boolean;
}

/** The set as bits; no copy is made of what is bits already, so the result is not to be changed. */
export function asBitmap(set: IdSet): Bitmap {
  if (set instanceof Bitmap) return set;
  return (set instanceof Postings ? set.bits : undefined) ?? Bitmap.of(set);
}
