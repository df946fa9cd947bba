import type { Pace, Steps } from "../lib/yield.ts";
import type { StoredDocument } from "./indexes/index.ts";
import type { Segment } from "./segments/segment.ts";

/** The operations of the store on a collection of any kind: change it, replay into it, write it back. */
export interface StoredCollection<T extends StoredDocument = StoredDocument> {
  readonly name: string;
  readonly folder: string;
  readonly size: number;
  /** Number of the last transaction that changed it since the store was opened; 0: none did. */
  readonly changedAt: number;
  get(id: number): T | undefined;
  /** Does what `get` does, and takes no steps of a work budget. */
  peek(id: number): T | undefined;
  /** Changes memory and indexes; returns what was there. Throws, with nothing changed, when that may not be. */
  put(id: number, document: T | undefined): T | undefined;
  /** Puts a document before the indexes exist, in loading and replay. */
  putUnindexed(id: number, document: T | undefined): void;
  /** The change of a document is in the journal only, from this transaction on, which is the last one of all. */
  markDirty(id: number, sequence: number): void;
  /** Every change up to this transaction is on disk in the document's segment. */
  savedSequenceOf(id: number): number;
  /** The latest of all its segments on disk. */
  latestSavedSequence(): number;
  /** Names of the files in its folder. Removes what a write that was cut off left behind. */
  fileNames(): string[];
  /** Reads the segments among files, one in each step. Throws `damaged`. */
  load(names: readonly string[], pace: Pace): Promise<void>;
  /** Builds the indexes that may refuse what was loaded, and throws if one does. */
  buildIndexes(): Steps;
  /** About how many steps that takes. */
  readonly indexSteps: number;
  /** The segments in memory. */
  segments(): Iterable<Segment<T>>;
  /** Writes one segment back. On an error it is as dirty as before. */
  save(segment: Segment<T>): Promise<void>;
}
