import { type Pace, type Steps, takeAtOnce } from "../../lib/yield.ts";
import { buildIndex, type Index, type IndexDeclaration, type StoredDocument } from "./index.ts";
import { UniqueIndex } from "./unique-index.ts";

/**
 * The indexes of one collection. A start builds only the unique ones, which may find duplicates. Each other index is built
 * by its first use or by `buildRest` in the background.
 */
export class IndexSet<T extends StoredDocument> {
  readonly #collection: string;
  readonly #declared: Readonly<Record<string, IndexDeclaration<T>>>;
  readonly #documents: () => readonly T[];
  /** The built indexes, which follow every change. An index that is built later starts from the documents of that moment. */
  readonly #built = new Map<string, Index<T>>();
  readonly #unbuilt = new Set<string>();
  /** The remaining steps for the index that is being built. */
  #building: Steps | undefined;
  #by: Readonly<Record<string, Index<T>>>;

  /** `documents` iterates over the collection, which is still empty. */
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

  /** The indexes by name. Reading one builds it. */
  get by(): Readonly<Record<string, Index<T>>> {
    return this.#by;
  }

  /** Returns the index of that name, built; undefined when none is declared. */
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

  /** Returns the built indexes. */
  values(): Iterable<Index<T>> {
    return this.#built.values();
  }

  /** Builds the unique indexes from the loaded documents. Throws when two of them have the same key. */
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

  /** Builds the remaining indexes while the documents may change. Stops early when `pace` asks for it. */
  async buildRest(pace: Pace): Promise<void> {
    for (const name of this.#unbuilt) {
      const steps = this.#begin(name);
      while (steps.next().done !== true) {
        const mayGoOn = pace();
        if (mayGoOn !== true && !(await mayGoOn)) return;
      }
    }
  }

  /** Updates the built indexes. Throws, with nothing changed, when a unique index has the key already. */
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

  /** Builds one index. `buildRest` and a reader of the index share the steps: each continues where the other stopped. */
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

  /** Replaces the getters with plain properties once all indexes are built. */
  #noteBuilt(): void {
    if (this.#unbuilt.size === 0) this.#by = Object.fromEntries(this.#built);
  }
}
