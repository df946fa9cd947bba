import type { Position } from "../../domain/page.ts";
import { spend } from "../../domain/work-budget.ts";
import { type Steps, stepLength } from "../../lib/yield.ts";
import { Bitmap } from "../query/bitmap.ts";
import type { IdSet } from "../query/id-set.ts";
import { KeysById } from "./keys-by-id.ts";
import { isBelow, isSorted, type OrderKey, sortedIds } from "./sorted-ids.ts";

const chunkMax = 512;

/** Built chunks have free room, so that the first insertions do not split all of them. */
const builtChunkLength = 448;

/** The part of an order that a scan returns. */
export interface WalkRange {
  readonly descending: boolean;
  readonly after: Position | undefined;
  readonly skip: number;
  readonly limit: number;
  readonly stepsMax: number;
}

interface Chunk {
  readonly keys: OrderKey[];
  readonly ids: number[];
}

/** The ids sorted by (key, id), in chunks of at most 512, so that an insertion moves little and ranks count chunks. */
export class OrderedIndex<T extends { readonly id: number }> {
  readonly #keyOf: (document: T) => OrderKey;
  readonly #chunks: Chunk[] = [];
  readonly #keys = new KeysById();
  #size = 0;

  constructor(keyOf: (document: T) => OrderKey) {
    this.#keyOf = keyOf;
  }

  get size(): number {
    return this.#size;
  }

  /** True when every key so far was the id itself: bits are then in this order already. */
  get isById(): boolean {
    return this.#keys.areIds;
  }

  replace(before: T | undefined, after: T | undefined): void {
    const oldKey = before === undefined ? undefined : this.#keyOf(before);
    const newKey = after === undefined ? undefined : this.#keyOf(after);
    if (before !== undefined && after !== undefined && oldKey === newKey) return;
    if (before !== undefined) {
      this.#delete(oldKey as OrderKey, before.id);
      this.#keys.delete(before.id);
    }
    if (after !== undefined) {
      this.#insert(newKey as OrderKey, after.id);
      this.#keys.set(after.id, newKey as OrderKey);
    }
  }

  /** Fills an empty index, in a tenth of the time of single insertions. */
  *build(documents: Iterable<T>): Steps {
    const keys: OrderKey[] = [];
    const ids: number[] = [];
    for (const document of documents) {
      const key = this.#keyOf(document);
      keys.push(key);
      ids.push(document.id);
      this.#keys.set(document.id, key);
      if (ids.length % stepLength === 0) yield;
    }
    const wasSorted = isSorted(keys, ids);
    const sorted = wasSorted ? ids : yield* sortedIds(keys, ids);
    for (let start = 0; start < sorted.length; start += builtChunkLength) {
      yield;
      const chunk = sorted.slice(start, start + builtChunkLength);
      const chunkKeys = wasSorted
        ? keys.slice(start, start + builtChunkLength)
        : chunk.map((id) => this.keyOf(id) as OrderKey);
      this.#chunks.push({ keys: chunkKeys, ids: chunk });
    }
    this.#size = ids.length;
  }

  /** Returns the number of entries whose key lies between both bounds, inclusive. */
  countBetween(lowest: OrderKey | undefined, highest: OrderKey | undefined): number {
    const from = lowest === undefined ? 0 : this.#rankOf(this.#find(lowest, 0));
    const to = highest === undefined ? this.#size : this.#rankOf(this.#find(highest, Number.POSITIVE_INFINITY));
    return Math.max(0, to - from);
  }

  /** Returns the position of a document, as a cursor holds it. */
  positionOf(id: number): Position {
    const key = this.keyOf(id);
    if (key === undefined) throw new Error(`ordered index: no entry of ${id}`);
    return { key, id };
  }

  /** Returns undefined for an unknown id. */
  keyOf(id: number): OrderKey | undefined {
    return this.#keys.get(id);
  }

  /** Returns the ids of `between` as a bitmap, for large ranges. */
  bitmapBetween(lowest: OrderKey | undefined, highest: OrderKey | undefined): Bitmap {
    const bitmap = new Bitmap(this.#keys.end);
    const start = lowest === undefined ? { chunkIndex: 0, index: 0 } : this.#find(lowest, 0);
    const end = highest === undefined ? undefined : this.#find(highest, Number.POSITIVE_INFINITY);
    const lastChunk = end?.chunkIndex ?? this.#chunks.length - 1;
    for (let c = start.chunkIndex; c <= lastChunk; c += 1) {
      const ids = this.#chunks[c]?.ids ?? [];
      const from = c === start.chunkIndex ? start.index : 0;
      const to = c === end?.chunkIndex ? end.index : ids.length;
      bitmap.addAll(ids, from, to, this.#keys.end);
    }
    return bitmap;
  }

  /** Returns up to `limit` ids from the `offset`-th on, counted from the end when `descending`. */
  slice(offset: number, limit: number, descending: boolean): number[] {
    const ids: number[] = [];
    const from = descending ? this.#size - 1 - offset : offset;
    if (from < 0 || from >= this.#size || limit <= 0) return ids;
    let { chunkIndex, index } = this.#placeOfRank(from);
    const step = descending ? -1 : 1;
    // Without a generator: no other walk runs as often as that of a page.
    for (; chunkIndex >= 0 && chunkIndex < this.#chunks.length; chunkIndex += step) {
      const chunk = this.#chunks[chunkIndex] as Chunk;
      for (; index >= 0 && index < chunk.ids.length; index += step) {
        ids.push(chunk.ids[index] as number);
        if (ids.length === limit) return ids;
      }
      index = descending ? this.#lengthOf(chunkIndex - 1) - 1 : 0;
    }
    return ids;
  }

  /** Returns a page of `set` after the position `after`, without the first `skip`; undefined beyond `stepsMax` steps. */
  pick(set: IdSet, { after, descending, skip, limit, stepsMax }: WalkRange): number[] | undefined {
    const picked: number[] = [];
    const step = descending ? -1 : 1;
    let { chunkIndex, index } = this.#startOf(descending, after);
    let toSkip = skip;
    let steps = 0;
    for (; chunkIndex >= 0 && chunkIndex < this.#chunks.length; chunkIndex += step) {
      const { ids } = this.#chunks[chunkIndex] as Chunk;
      steps += ids.length;
      if (steps > stepsMax) return undefined;
      spend(ids.length);
      for (; index >= 0 && index < ids.length; index += step) {
        const id = ids[index] as number;
        if (!set.has(id)) continue;
        if (toSkip > 0) toSkip -= 1;
        else if (picked.push(id) === limit) return picked;
      }
      index = descending ? this.#lengthOf(chunkIndex - 1) - 1 : 0;
    }
    return picked;
  }

  /** Yields ids in order, after the position `after` or from the start. The index must not change meanwhile. */
  *walk(descending: boolean, after?: Position): Generator<number> {
    const step = descending ? -1 : 1;
    let { chunkIndex, index } = this.#startOf(descending, after);
    for (; chunkIndex >= 0 && chunkIndex < this.#chunks.length; chunkIndex += step) {
      const { ids } = this.#chunks[chunkIndex] as Chunk;
      for (; index >= 0 && index < ids.length; index += step) {
        spend(1);
        yield ids[index] as number;
      }
      index = descending ? this.#lengthOf(chunkIndex - 1) - 1 : 0;
    }
  }

  /** Yields the ids whose key lies between both bounds, inclusive, in ascending order. undefined is no bound. */
  *between(lowest: OrderKey | undefined, highest: OrderKey | undefined): Generator<number> {
    const start = lowest === undefined ? { chunkIndex: 0, index: 0 } : this.#find(lowest, 0);
    for (let c = start.chunkIndex; c < this.#chunks.length; c += 1) {
      const { keys, ids } = this.#chunks[c] as Chunk;
      for (let i = c === start.chunkIndex ? start.index : 0; i < ids.length; i += 1) {
        if (highest !== undefined && (keys[i] as OrderKey) > highest) return;
        spend(1);
        yield ids[i] as number;
      }
    }
  }

  /** Returns where a walk begins; outside of all chunks when it has nothing to visit. */
  #startOf(descending: boolean, after: Position | undefined): { chunkIndex: number; index: number } {
    if (after === undefined) {
      const last = this.#chunks.length - 1;
      return descending ? { chunkIndex: last, index: this.#lengthOf(last) - 1 } : { chunkIndex: 0, index: 0 };
    }
    // `#find` returns the first entry at or above the position. The entry at the position itself was on the page before.
    const { chunkIndex, index } = this.#find(after.key, after.id);
    if (descending) {
      return index > 0
        ? { chunkIndex, index: index - 1 }
        : { chunkIndex: chunkIndex - 1, index: this.#lengthOf(chunkIndex - 1) - 1 };
    }
    const chunk = this.#chunks[chunkIndex];
    const isEntry = chunk?.ids[index] === after.id && chunk.keys[index] === after.key;
    return { chunkIndex, index: isEntry ? index + 1 : index };
  }

  #insert(key: OrderKey, id: number): void {
    this.#size += 1;
    if (this.#chunks.length === 0) this.#chunks.push({ keys: [], ids: [] });
    const { chunkIndex, index } = this.#placeFor(key, id);
    const chunk = this.#chunks[chunkIndex] as Chunk;
    chunk.keys.splice(index, 0, key);
    chunk.ids.splice(index, 0, id);
    if (chunk.ids.length > chunkMax) this.#split(chunkIndex, index);
  }

  /** Returns where an entry belongs. Looks at the end first, since ids and times ascend. */
  #placeFor(key: OrderKey, id: number): { chunkIndex: number; index: number } {
    const lastChunkIndex = this.#chunks.length - 1;
    const { keys, ids } = this.#chunks[lastChunkIndex] as Chunk;
    const end = ids.length;
    if (isBelow(keys[end - 1] as OrderKey, ids[end - 1] as number, key, id))
      return { chunkIndex: lastChunkIndex, index: end };
    return this.#find(key, id);
  }

  #delete(key: OrderKey, id: number): void {
    // Looks at the end first: a failed transaction and a restore remove the newest entries.
    const last = this.#startOf(true, undefined);
    const { chunkIndex, index } = this.#chunks[last.chunkIndex]?.ids[last.index] === id ? last : this.#find(key, id);
    const chunk = this.#chunks[chunkIndex];
    if (chunk === undefined || chunk.ids[index] !== id) throw new Error(`ordered index: no entry ${String(key)} ${id}`);
    this.#size -= 1;
    chunk.keys.splice(index, 1);
    chunk.ids.splice(index, 1);
    if (chunk.ids.length === 0) this.#chunks.splice(chunkIndex, 1);
  }

  /** Splits a full chunk. The last one stays full, since ascending keys (ids, times) always go to the end. */
  #split(chunkIndex: number, insertedAt: number): void {
    const chunk = this.#chunks[chunkIndex] as Chunk;
    const at = insertedAt === chunkMax ? chunkMax : chunkMax >> 1;
    this.#chunks.splice(chunkIndex + 1, 0, { keys: chunk.keys.splice(at), ids: chunk.ids.splice(at) });
  }

  /** Returns where the first entry at or above (key, id) is; one past the last chunk when there is none. */
  #find(key: OrderKey, id: number): { chunkIndex: number; index: number } {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { keys, ids } = this.#chunks[middle] as Chunk;
      const last = ids.length - 1;
      if (isBelow(keys[last] as OrderKey, ids[last] as number, key, id)) low = middle + 1;
      else high = middle;
    }
    const chunkIndex = low;
    const chunk = this.#chunks[chunkIndex];
    if (chunk === undefined) return { chunkIndex, index: 0 };
    low = 0;
    high = chunk.ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBelow(chunk.keys[middle] as OrderKey, chunk.ids[middle] as number, key, id)) low = middle + 1;
      else high = middle;
    }
    return { chunkIndex, index: low };
  }

  /** Returns where the entry of a rank is, counted from the nearer end. */
  #placeOfRank(rank: number): { chunkIndex: number; index: number } {
    if (rank * 2 < this.#size) {
      let chunkIndex = 0;
      let index = rank;
      for (; index >= this.#lengthOf(chunkIndex); chunkIndex += 1) index -= this.#lengthOf(chunkIndex);
      return { chunkIndex, index };
    }
    let chunkIndex = this.#chunks.length - 1;
    let fromEnd = this.#size - 1 - rank;
    for (; fromEnd >= this.#lengthOf(chunkIndex); chunkIndex -= 1) fromEnd -= this.#lengthOf(chunkIndex);
    return { chunkIndex, index: this.#lengthOf(chunkIndex) - 1 - fromEnd };
  }

  #rankOf({ chunkIndex, index }: { chunkIndex: number; index: number }): number {
    let rank = index;
    for (let c = 0; c < chunkIndex; c += 1) rank += this.#lengthOf(c);
    return rank;
  }

  #lengthOf(chunkIndex: number): number {
    return this.#chunks[chunkIndex]?.ids.length ?? 0;
  }
}
