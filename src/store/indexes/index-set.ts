import { type Pace, type Steps, takeAtOnce } from "../../lib/yield.ts";
import { buildIndex, type Index, type IndexDeclaration, type StoredDocument } from "./index.ts";
import { UniqueIndex } from "./unique-index.ts";

/**
 * The indexes of one collection. A start builds the unique ones, which may refuse the documents, and waits for no other:
 * the first use of an index builds it, or `buildRest` in the background.
 */
export class IndexSet<T extends StoredDocument> {
  readonly #collection: string;
  readonly #declared: Readonly<Record<string, IndexDeclaration<T>>>;
  readonly #documents: () => readonly T[];
  /** The built indexes follow every change. The others are built from the documents as they are then. */
  readonly #built = new Map<string, Index<T>>();
  readonly #unbuilt = new Set<string>();
  /** The rest of the work on the index that is being built. */
  #building: Steps | undefined;
  #by: Readonly<Record<string, Index<T>>>;

  /** `documents` lists those of the collection, which has none yet. */
  constructor(
    collection: string,
    declared: Readonly<Record<string, IndexDeclaration<T>>>,
    documents: () => readonly T[],
  ) {
    this.#collection = collection;
    this.#declared = declared;
    this.#documents = documents;
    for (const name of Object.keys(declared)) this.#built.set(name, this.#make(name));
    this.#by = Object.fromEntries(this.#built);
  }

  /** The indexes by name. */
  get by(): Readonly<Record<string, Index<T>>> {
    return this.#by;
  }

  /** The index of that name; undefined when none is declared. */
  get(name: string): Index<T> | undefined {
    if (this.#unbuilt.has(name)) {
      this.#finishBuilding();
      if (this.#unbuilt.has(name)) takeAtOnce(this.#begin(name));
    }
    return this.#built.get(name);
  }

  /** How many unique indexes there are. */
  get uniqueCount(): number {
    return [...this.#built.values()].filter((index) => index instanceof UniqueIndex).length;
  }

  /** The built indexes. */
  values(): Iterable<Index<T>> {
    return this.#built.values();
  }

  /** Builds the unique indexes of documents that were loaded. Throws when two of them have the same key. */
  *buildUnique(): Steps {
    const lazy: Record<string, Index<T>> = {};
    for (const [name, index] of [...this.#built]) {
      Object.defineProperty(lazy, name, { enumerable: true, get: () => this.get(name) });
      if (index instanceof UniqueIndex) yield* index.build(this.#documents());
      else if (index.build !== undefined) {
        this.#built.delete(name);
        this.#unbuilt.add(name);
      }
    }
    this.#by = lazy;
    this.#noteBuilt();
  }

  /** Builds the unused indexes, while the documents go on changing. If `pace` asks for an end, some stay unbuilt. */
  async buildRest(pace: Pace): Promise<void> {
    for (const name of this.#unbuilt) {
      const steps = this.#begin(name);
      while (steps.next().done !== true) {
        const mayGoOn = pace();
        if (mayGoOn !== true && !(await mayGoOn)) return;
      }
    }
  }

  /** Follows a change. Throws, with nothing changed, when a unique index refuses it. */
  replace(before: T | undefined, after: T | undefined): void {
    this.#finishBuilding();
    const done: Index<T>[] = [];
    for (const index of this.#built.values()) {
      try {
        index.replace(before, after);
      } catch (error) {
        for (const each of done) each.replace(after, before);
        throw error;
      }
      done.push(index);
    }
  }

  #make(name: string): Index<T> {
    return buildIndex(`${this.#collection}.${name}`, this.#declared[name] as IndexDeclaration<T>);
  }

  #begin(name: string): Steps {
    const steps = this.#build(name);
    this.#building = steps;
    return steps;
  }

  /** `buildRest` and a user of the index share the steps: each goes on where the other stopped. */
  *#build(name: string): Steps {
    const index = this.#make(name);
    if (index.build !== undefined) yield* index.build(this.#documents());
    this.#building = undefined;
    this.#unbuilt.delete(name);
    this.#built.set(name, index);
    this.#noteBuilt();
  }

  #finishBuilding(): void {
    if (this.#building !== undefined) takeAtOnce(this.#building);
  }

  /** Drops the getters once all indexes are built. */
  #noteBuilt(): void {
    if (this.#unbuilt.size === 0) this.#by = Object.fromEntries(this.#built);
  }
}
