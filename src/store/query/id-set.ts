import { spend } from "../../domain/work-budget.ts";
import { Bitmap } from "./bitmap.ts";

/** A set of ids. `Bitmap`, `Postings` and `ReadonlySet` have this interface. */
export interface IdSet extends Iterable<number> {
  readonly size: number;
  has(id: number): boolean;
  /** The same set as a bitmap, if it is stored so. Callers must not change it. */
  readonly bits?: Bitmap | undefined;
  /** Adds all its ids, where that is faster than one by one. */
  addTo?(bitmap: Bitmap): void;
}

/** Returns the set as a bitmap. It may be the stored one, so callers must not change it. */
export function asBitmap(set: IdSet): Bitmap {
  return set.bits ?? copyAsBitmap([set]);
}

/** Returns the union of the sets as a new bitmap. */
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
