import type { Pace, Steps } from "../lib/yield.ts";
import type { StoredDocument } from "./indexes/index.ts";
import type { Segment } from "./segments/segment.ts";

/** The operations of the store on a collection of any kind. */
export interface StoredCollection<T extends StoredDocument = StoredDocument> {
  readonly name: string;
  readonly folder: string;
  readonly size: number;
  /** The number of the last transaction that changed it since the store was opened; 0 for none. */
  readonly changedAt: number;
  get(id: number): T | undefined;
  /** Does what `get` does, without steps of a work budget. */
  peek(id: number): T | undefined;
  /**
   * Changes memory and indexes, and returns the earlier document. Throws, with nothing changed, when an index refuses it.
   */
  put(id: number, document: T | undefined): T | undefined;
  /** Stores a document before the indexes exist, while loading and replaying. */
  putUnindexed(id: number, document: T | undefined): void;
  /** Notes that only the journal has the document's change, made by this transaction, which is the last one. */
  markDirty(id: number, sequence: number): void;
  /** Returns the transaction up to which the document's segment is on disk. */
  savedSequenceOf(id: number): number;
  /** Returns the largest such transaction of all its segments. */
  latestSavedSequence(): number;
  /** Returns the names of the files in its folder. Removes temporary files of interrupted writes. */
  fileNames(): string[];
  /** Reads the given segment files, one per step. Throws `corruptionError`. */
  load(names: readonly string[], pace: Pace): Promise<void>;
  /** Builds the unique indexes. Throws when two loaded documents have the same key. */
  buildIndexes(): Steps;
  /** The approximate number of steps of `buildIndexes`. */
  readonly indexSteps: number;
  /** Returns the segments in memory. */
  segments(): Iterable<Segment<T>>;
  /** Writes one segment. After an error, it is as dirty as before. */
  save(segment: Segment<T>): Promise<void>;
}
