import { Bitmap } from "../query/bitmap.ts";
import type { OrderKey } from "./sorted-ids.ts";

/** Key by id, so that ids can be put in order without a look at their documents; a bit an id while each key is its id. */
export class KeysById {
  /** The ids while each key is its id. */
  #ids: Bitmap | undefined = new Bitmap();
  /** Empty until then. */
  readonly #keys: (OrderKey | undefined)[] = [];
  #end = 0;

  /** Whether every key so far was the id itself: then bits are in this order as they are. */
  get areIds(): boolean {
    return this.#ids !== undefined;
  }

  /** One more than the highest id so far. */
  get end(): number {
    return this.#end;
  }

  /** undefined for an id that is not there. */
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

  /** The first key that is not its id has come. */
  #writeDown(ids: Bitmap): void {
    this.#ids = undefined;
    for (const id of ids) this.#put(id, id);
  }

  /** Filled without holes, so that the array stays a dense one. */
  #put(id: number, key: OrderKey): void {
    while (this.#keys.length < id) this.#keys.push(undefined);
    this.#keys[id] = key;
  }
}
