import type { Blobs } from "../blobs.ts";
import { MemoryCollection } from "../collection.ts";
import type { StoredCollection } from "../stored-collection.ts";

/** Removes blobs that no document names. */
export class BlobSweeper {
  readonly #blobs: Blobs;
  readonly #collections: readonly MemoryCollection[];
  readonly #settled: () => Promise<void> | undefined;

  /** Starts to watch which blobs documents stop naming. */
  constructor(blobs: Blobs, collections: Iterable<StoredCollection>, settled: () => Promise<void> | undefined) {
    this.#blobs = blobs;
    this.#collections = [...collections].filter((each) => each instanceof MemoryCollection);
    this.#settled = settled;
    for (const collection of this.#collections) this.#watch(collection);
  }

  /** Sweeps every blob on disk. */
  sweepAll(): Promise<number> {
    return this.#blobs.sweep(this.#isNamed, this.#settled);
  }

  /** Sweeps the blobs that documents stopped naming since the last sweep, and uploads that no document ever named. */
  sweepUnneeded(): Promise<number> {
    return this.#blobs.sweepUnneeded(this.#isNamed, this.#settled);
  }

  readonly #isNamed = (hash: string) => this.#collections.some((collection) => collection.namesBlob(hash));

  #watch(collection: MemoryCollection): void {
    const { blobsOf } = collection;
    if (blobsOf === undefined) return;
    collection.watch((before, after) => {
      if (before === undefined) return;
      const named = after === undefined ? [] : blobsOf(after);
      this.#blobs.noteUnneeded(blobsOf(before).filter((hash) => !named.includes(hash)));
    });
  }
}
