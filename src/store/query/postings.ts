import { Bitmap } from "./bitmap.ts";
import type { IdSet } from "./id-set.ts";

const sparseMax = 1024;
/** A bitmap is smaller than a list of four bytes per entry once one id in this many is in. */
const denseShare = 32;
/** A number above every id. */
const idMax = 2 ** 32 - 1;

/** The ids of a key, in ascending order: a sorted list while they are few, a bitmap once they are many. */
export class Postings implements IdSet {
  #sparse: Uint32Array | undefined = new Uint32Array(2);
  #dense: Bitmap | undefined;
  #size = 0;

  static of(ids: Iterable<number>): Postings {
    const postings = new Postings();
    for (const id of ids) postings.add(id);
    return postings;
  }

  get size(): number {
    return this.#size;
  }

  /** The bitmap, once there are many ids. */
  get bits(): Bitmap | undefined {
    return this.#dense;
  }

  has(id: number): boolean {
    if (this.#dense !== undefined) return this.#dense.has(id);
    const place = this.#placeOf(id);
    return place < this.#size && (this.#sparse as Uint32Array)[place] === id;
  }

  addTo(bitmap: Bitmap): void {
    if (this.#dense !== undefined) bitmap.orWith(this.#dense);
    else bitmap.addAll(this.#sparse as Uint32Array, 0, this.#size, this.#sparse?.[this.#size - 1] ?? 0);
  }

  add(id: number): void {
    if (this.#dense !== undefined) {
      this.#dense.add(id);
      this.#size = this.#dense.size;
      return;
    }
    const ids = this.#sparse as Uint32Array;
    const place = this.#size > 0 && (ids[this.#size - 1] as number) < id ? this.#size : this.#placeOf(id);
    if (place < this.#size && ids[place] === id) return;
    const room = this.#size < ids.length ? ids : this.#grow(ids);
    if (place < this.#size) room.copyWithin(place + 1, place, this.#size);
    room[place] = id;
    this.#size += 1;
    if (this.#size > sparseMax && this.#size * denseShare > (room[this.#size - 1] as number)) this.#becomeDense();
  }

  delete(id: number): void {
    if (this.#dense !== undefined) {
      this.#dense.delete(id);
      this.#size = this.#dense.size;
      return;
    }
    const place = this.#placeOf(id);
    const ids = this.#sparse as Uint32Array;
    if (place >= this.#size || ids[place] !== id) return;
    ids.copyWithin(place, place + 1, this.#size);
    this.#size -= 1;
  }

  /** Removes the ids below `id`, in a fraction of a millisecond for millions. */
  dropBelow(id: number): void {
    if (this.#dense === undefined) {
      const place = this.#placeOf(id);
      (this.#sparse as Uint32Array).copyWithin(0, place, this.#size);
      this.#size -= place;
      return;
    }
    this.#dense.dropBelow(id);
    this.#size = this.#dense.size;
    if (this.#size * denseShare * 2 < (this.#dense.lastUpTo(idMax) ?? 0)) this.#becomeSparse(this.#dense);
  }

  /**
   * Yields the ids. The set may change meanwhile: the walk meets later ids that are added, and not those that are removed.
   */
  *[Symbol.iterator](): Generator<number> {
    let last = -1;
    for (let place = 0; this.#dense === undefined && place < this.#size; ) {
      const ids = this.#sparse as Uint32Array;
      last = ids[place] as number;
      yield last;
      if (this.#sparse === ids && ids[place] === last) place += 1;
      else if (this.#dense === undefined) place = this.#placeOf(last + 1);
    }
    for (let id = this.#dense?.firstFrom(last + 1); id !== undefined; id = this.#dense?.firstFrom(id + 1)) yield id;
  }

  /** Yields the ids after `start` in the given direction. */
  *walk(descending: boolean, start: number): Generator<number> {
    if (this.#dense !== undefined) {
      const next = (id: number) => (descending ? this.#dense?.lastUpTo(id - 1) : this.#dense?.firstFrom(id + 1));
      for (let id = next(start); id !== undefined; id = next(id)) yield id;
      return;
    }
    const ids = this.#sparse as Uint32Array;
    const step = descending ? -1 : 1;
    const beginning = descending ? this.#placeOf(start) - 1 : this.#placeOf(start + 1);
    for (let place = beginning; place >= 0 && place < this.#size; place += step) yield ids[place] as number;
  }

  #becomeDense(): void {
    this.#dense = Bitmap.of(this);
    this.#sparse = undefined;
  }

  #becomeSparse(bits: Bitmap): void {
    this.#sparse = new Uint32Array(Math.max(2, this.#size));
    this.#sparse.set([...bits]);
    this.#dense = undefined;
  }

  #grow(ids: Uint32Array): Uint32Array {
    const grown = new Uint32Array(ids.length + Math.max(2, ids.length >> 1));
    grown.set(ids);
    this.#sparse = grown;
    return grown;
  }

  /** Returns the index of the first id that is at least `id`. */
  #placeOf(id: number): number {
    const ids = this.#sparse as Uint32Array;
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ids[middle] as number) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
