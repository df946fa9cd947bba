import { type Steps, stepLength } from "../../lib/yield.ts";
import type { IdSet } from "../query/id-set.ts";
import { Postings } from "../query/postings.ts";
import type { Key } from "./unique-index.ts";

const none: IdSet = new Set<number>();

/** An index of the ids of each key, in ascending order: one id bare, some in a list, many as bits. */
export class MultiIndex<T extends { readonly id: number }> {
  readonly #keysOf: (document: T) => readonly Key[];
  /** A single id is stored without a list. Most keys have one id, and a million lists would cost 150 bytes each. */
  readonly #ids = new Map<Key, number | Postings>();

  constructor(keysOf: (document: T) => readonly Key[]) {
    this.#keysOf = keysOf;
  }

  /** Returns the ids of a key. The set is live: it changes with the collection, even during a walk. */
  find(key: Key): IdSet {
    const ids = this.#ids.get(key);
    if (ids === undefined) return none;
    return typeof ids === "number" ? new Set([ids]) : ids;
  }

  keys(): Iterable<Key> {
    return this.#ids.keys();
  }

  *build(documents: Iterable<T>): Steps {
    let count = 0;
    for (const document of documents) {
      count += 1;
      if (count % stepLength === 0) yield;
      for (const key of this.#keysOf(document)) this.#add(key, document.id);
    }
  }

  replace(before: T | undefined, after: T | undefined): void {
    const oldKeys = before === undefined ? [] : this.#keysOf(before);
    const newKeys = after === undefined ? [] : this.#keysOf(after);
    if (oldKeys.length === 0 && newKeys.length === 0) return;
    const [wasThere, exists] = [membership(oldKeys), membership(newKeys)];
    for (const key of oldKeys) if (!exists(key)) this.#remove(key, (before as T).id);
    for (const key of newKeys) if (!wasThere(key)) this.#add(key, (after as T).id);
  }

  #add(key: Key, id: number): void {
    const ids = this.#ids.get(key);
    if (ids === undefined) this.#ids.set(key, id);
    else if (typeof ids === "number") {
      if (ids !== id) this.#ids.set(key, Postings.of([ids, id]));
    } else ids.add(id);
  }

  #remove(key: Key, id: number): void {
    const ids = this.#ids.get(key);
    if (typeof ids === "number") {
      if (ids === id) this.#ids.delete(key);
      return;
    }
    ids?.delete(id);
    if (ids?.size === 0) this.#ids.delete(key);
  }
}

/** The length up to which searching a list is as fast as building a set. */
const shortMax = 32;

/** Returns a fast test for membership: an issue may have thousands of labels, and a list would be searched for each key. */
function membership(keys: readonly Key[]): (key: Key) => boolean {
  if (keys.length <= shortMax) return (key) => keys.includes(key);
  const all = new Set(keys);
  return (key) => all.has(key);
}
