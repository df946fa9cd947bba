import { spend } from "../../domain/work-budget.ts";
import { Bitmap } from "./bitmap.ts";

/** The interface of all sets of ids: `Bitmap`, `Postings` and `ReadonlySet` are some. */
export interface IdSet extends Iterable<number> {
  readonly size: number;
  has(id: number): boolean;
  /** The same set as bits, if it is stored so; callers must not change it. */
  readonly bits?: Bitmap | undefined;
  /** Adds all its ids, where that goes faster than one by one. */
  addTo?(bitmap: Bitmap): void;
}

/** The set as bits; no copy is made of what is bits already, so the result is not to be changed. */
export function asBitmap(set: IdSet): Bitmap {
  return set.bits ?? copyAsBitmap([set]);
}

/** Bits of all that are in one or another of the sets. */
export function copyAsBitmap(sets: Iterable<IdSet>): Bitmap {
  const bitmap = new Bitmap();
  for (const set of sets) {
    spend(1);
    if (set.addTo !== undefined) set.addTo(bitmap);
    else {
      spend(set.size);
      for (const id of set) bitmap.add(id);
    }
  }
  return bitmap;
}
