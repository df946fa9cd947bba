import { type Steps, stepLength } from "../../lib/yield.ts";
import type { IdSet } from "../query/id-set.ts";
import { Postings } from "../query/postings.ts";
import type { Key } from "./unique-index.ts";

/** A node of a tree index. It is live: it changes with the collection. */
export interface TreePlace {
  /** The documents whose path ends here, in ascending order; undefined when there are none. */
  readonly ids: IdSet | undefined;
  /** The child nodes in the order of their creation; undefined when there are none. */
  readonly next: ReadonlyMap<Key, TreePlace> | undefined;
}

class Place implements TreePlace {
  ids: Postings | undefined;
  next: Map<Key, Place> | undefined;
}

/** An index of ids by paths of keys. A search for some paths visits only their nodes. */
export class TreeIndex<T extends { readonly id: number }> {
  readonly #pathOf: (document: T) => readonly Key[] | undefined;
  readonly #root = new Place();

  constructor(pathOf: (document: T) => readonly Key[] | undefined) {
    this.#pathOf = pathOf;
  }

  /** The nodes below the root, by the first key of their paths. */
  get places(): ReadonlyMap<Key, TreePlace> {
    this.#root.next ??= new Map();
    return this.#root.next;
  }

  *build(documents: Iterable<T>): Steps {
    let count = 0;
    for (const document of documents) {
      count += 1;
      if (count % stepLength === 0) yield;
      this.replace(undefined, document);
    }
  }

  replace(before: T | undefined, after: T | undefined): void {
    const oldPath = before === undefined ? undefined : this.#pathOf(before);
    const newPath = after === undefined ? undefined : this.#pathOf(after);
    if (oldPath !== undefined && newPath !== undefined && areEqual(oldPath, newPath)) return;
    if (oldPath !== undefined) this.#remove(oldPath, (before as T).id);
    if (newPath !== undefined) this.#add(newPath, (after as T).id);
  }

  #add(path: readonly Key[], id: number): void {
    let place = this.#root;
    for (const key of path) {
      place.next ??= new Map();
      let following = place.next.get(key);
      if (following === undefined) {
        following = new Place();
        place.next.set(key, following);
      }
      place = following;
    }
    place.ids ??= new Postings();
    place.ids.add(id);
  }

  /** Removes an id, and the nodes that become empty. */
  #remove(path: readonly Key[], id: number): void {
    const passed = [this.#root];
    for (const key of path) {
      const following = passed.at(-1)?.next?.get(key);
      if (following === undefined) return;
      passed.push(following);
    }
    const last = passed.at(-1) as Place;
    last.ids?.delete(id);
    if (last.ids?.size === 0) last.ids = undefined;
    for (let at = path.length; at > 0; at -= 1) {
      const place = passed[at] as Place;
      if (place.ids !== undefined || (place.next?.size ?? 0) > 0) return;
      (passed[at - 1] as Place).next?.delete(path[at - 1] as Key);
    }
  }
}

function areEqual(one: readonly Key[], other: readonly Key[]): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at]);
}
