import { Bitmap } from "../bitmap.ts";
import type { Key } from "./unique-index.ts";

const none = new Bitmap(0);

/** Key → the ids that have it, as bits. */
export class BitmapIndex<T extends { readonly id: number }> {
  readonly #keysOf: (document: T) => readonly Key[];
  readonly #bitmaps = new Map<Key, Bitmap>();

  constructor(keysOf: (document: T) => readonly Key[]) {
    this.#keysOf = keysOf;
  }

  /** Live: it changes with the collection, and is never to be changed by the reader. */
  find(key: Key): Bitmap {
    return this.#bitmaps.get(key) ?? none;
  }

  build(documents: Iterable<T>): void {
    for (const document of documents) for (const key of this.#keysOf(document)) this.#bitmapOf(key).add(document.id);
  }

  replace(before: T | undefined, after: T | undefined): void {
    const oldKeys = before === undefined ? [] : this.#keysOf(before);
    const newKeys = after === undefined ? [] : this.#keysOf(after);
    for (const key of oldKeys) if (!newKeys.includes(key)) this.#bitmaps.get(key)?.delete((before as T).id);
    for (const key of newKeys) if (!oldKeys.includes(key)) this.#bitmapOf(key).add((after as T).id);
  }

  #bitmapOf(key: Key): Bitmap {
    const existing = this.#bitmaps.get(key);
    if (existing !== undefined) return existing;
    const bitmap = new Bitmap();
    this.#bitmaps.set(key, bitmap);
    return bitmap;
  }
}
