import { spend } from "../../domain/work-budget.ts";
import type { Bitmap } from "./bitmap.ts";
import { copyAsBitmap, type IdSet } from "./id-set.ts";

/** The cost of a lookup in one set, in ids that are added to a bitmap. */
const questionCost = 8;
/** The steps of a lookup in one set. */
const stepsPerSet = 2;

/**
 * The union of hundreds of sets, of labels, milestones or projects. It tests a few ids set by set, and becomes a bitmap once
 * that has cost as much, or when all of it is needed. Valid until the next change.
 */
export class UnionSet implements IdSet {
  /** An upper bound of `size`, which is cheaper. */
  readonly sizeMax: number;
  readonly #sets: readonly IdSet[];
  #bits: Bitmap | undefined;
  #spent = 0;

  constructor(sets: readonly IdSet[]) {
    this.#sets = sets;
    this.sizeMax = sets.reduce((sum, set) => sum + (set instanceof UnionSet ? set.sizeMax : set.size), 0);
  }

  get bits(): Bitmap {
    this.#bits ??= copyAsBitmap(this.#sets);
    return this.#bits;
  }

  get size(): number {
    return this.bits.size;
  }

  has(id: number): boolean {
    if (this.#bits !== undefined) return this.#bits.has(id);
    spend(this.#sets.length * stepsPerSet);
    this.#spent += this.#sets.length * questionCost;
    if (this.#spent > this.sizeMax) return this.bits.has(id);
    return this.#sets.some((set) => set.has(id));
  }

  [Symbol.iterator](): Iterator<number> {
    return this.bits[Symbol.iterator]();
  }
}
