import type { Bitmap } from "../query/bitmap.ts";
import type { IdSet } from "../query/id-set.ts";
import type { OrderedIndex } from "./ordered-index.ts";
import type { OrderKey } from "./sorted-ids.ts";

/**
 * The ids whose keys are in a range. It tests ids by their keys, and makes a list or bits only when needed. Valid until the
 * next change.
 */
export class KeyRange<T extends { readonly id: number }> implements IdSet {
  readonly size: number;
  readonly order: OrderedIndex<T>;
  readonly #lowest: OrderKey | undefined;
  readonly #highest: OrderKey | undefined;
  #bits: Bitmap | undefined;

  constructor(order: OrderedIndex<T>, lowest: OrderKey | undefined, highest: OrderKey | undefined) {
    this.order = order;
    this.#lowest = lowest;
    this.#highest = highest;
    this.size = order.countBetween(lowest, highest);
  }

  get bits(): Bitmap {
    this.#bits ??= this.order.bitmapBetween(this.#lowest, this.#highest);
    return this.#bits;
  }

  has(id: number): boolean {
    const key = this.order.keyOf(id);
    if (key === undefined) return false;
    return (this.#lowest === undefined || key >= this.#lowest) && (this.#highest === undefined || key <= this.#highest);
  }

  [Symbol.iterator](): Iterator<number> {
    return this.order.between(this.#lowest, this.#highest);
  }
}
