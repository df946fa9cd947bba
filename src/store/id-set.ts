import { Bitmap } from "./bitmap.ts";

/** What sets of ids have in common, however they are kept: `Bitmap`, `Postings` and `ReadonlySet` are some. */
export interface IdSet extends Iterable<number> {
  readonly size: number;
  has(id: number): boolean;
  /** The same set as bits, where it is kept so. Not to be changed. */
  readonly bits?: Bitmap | undefined;
}

/** The set as bits; no copy is made of what is bits already, so the result is not to be changed. */
export function asBitmap(set: IdSet): Bitmap {
  return set.bits ?? Bitmap.of(set);
}
