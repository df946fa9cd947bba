import type { Blobs } from "../blobs.ts";
import { MemoryCollection } from "../collection.ts";
import type { StoredCollection } from "../stored-collection.ts";

/** Removes blobs that no document names; knows which documents do. */
export class BlobSweeper {
  readonly #blobs: Blobs;
  readonly #collections: readonly MemoryCollection[];
  readonly #settled: () => Promise<void> | undefined;

  /** Begins to watch which documents let go of blobs. */
  constructor(blobs: Blobs, collections: Iterable<StoredCollection>, settled: () => Promise<void> | undefined) {
    this.#blobs = blobs;
    this.#collections = [...collections].filter((each) => each instanceof MemoryCollection);
    this.#settled = settled;
    for (const collection of this.#collections) this.#watch(collection);
  }

  /** Looks at every blob on disk. */
  sweepAll(): Promise<number> {
    return this.#blobs.sweep(this.#isNamed, this.#settled);
  }

  /** Looks at those that were let go of since the last time, and at uploads that no document came to name. */
  sweepLetGo(): Promise<number> {
    return this.#blobs.sweepLetGo(this.#isNamed, this.#settled);
  }

  readonly #isNamed = (hash: string) => this.#collections.some((collection) => collection.namesBlob(hash));

  #watch(collection: MemoryCollection): void {
    const { blobsOf } = collection;
    if (blobsOf === undefined) return;
    collection.watch((before, after) => {
      if (before === undefined) return;
      const named = after === undefined ? [] : blobsOf(after);
      this.#blobs.noteLetGo(blobsOf(before).filter((hash) => !named.includes(hash)));
    });
  }
}
