import { Bitmap } from "../query/bitmap.ts";
import type { OrderKey } from "./sorted-ids.ts";

/**
 * The key of each id, so that ids can be sorted without their documents. Takes one bit per id as long as each key is its id.
 */
export class KeysById {
  /** The ids while each key is its id. */
  #ids: Bitmap | undefined = new Bitmap();
  /** Empty as long as each key is its id. */
  readonly #keys: (OrderKey | undefined)[] = [];
  #end = 0;

  /** True when every key so far was the id itself: bits are then in this order already. */
  get areIds(): boolean {
    return this.#ids !== undefined;
  }

  /** One more than the highest id. */
  get end(): number {
    return this.#end;
  }

  /** Returns undefined for an unknown id. */
  get(id: number): OrderKey | undefined {
    if (this.#ids !== undefined) return this.#ids.has(id) ? id : undefined;
    return this.#keys[id];
  }

  set(id: number, key: OrderKey): void {
    this.#end = Math.max(this.#end, id + 1);
    if (this.#ids !== undefined) {
      if (key === id) {
        this.#ids.add(id);
        return;
      }
      this.#writeDown(this.#ids);
    }
    this.#put(id, key);
  }

  delete(id: number): void {
    if (this.#ids === undefined) this.#keys[id] = undefined;
    else this.#ids.delete(id);
  }

  /** Switches to an array, at the first key that is not its id. */
  #writeDown(ids: Bitmap): void {
    this.#ids = undefined;
    for (const id of ids) this.#put(id, id);
  }

  /** Fills the array without holes, so that it stays dense. */
  #put(id: number, key: OrderKey): void {
    while (this.#keys.length < id) this.#keys.push(undefined);
    this.#keys[id] = key;
  }
}
