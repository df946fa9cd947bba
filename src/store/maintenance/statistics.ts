import type { Histogram } from "../../lib/histogram.ts";
import type { TransactionLog } from "../journal/journal.ts";
import { diskSpaceOf } from "../journal/write-blocker.ts";
import type { Checkpointer } from "../segments/checkpointer.ts";
import type { StoredCollection } from "../stored-collection.ts";

/** Figures about a store since it was opened. */
export interface StoreStatistics {
  /** Collection → how many. */
  readonly documents: Readonly<Record<string, number>>;
  /** Of the journal that a start would read. */
  readonly journalBytes: number;
  readonly durableSequence: number;
  /** What the disk of the folder has left; undefined where the system does not tell. */
  readonly freeBytes: number | undefined;
  readonly journal: JournalFigures;
  readonly checkpoint: CheckpointFigures;
}

/** What was written since the start. */
export interface JournalFigures {
  readonly lines: number;
  readonly bytes: number;
  /** Seconds that a sync of the disk took. */
  readonly syncs: Histogram;
  /** Transactions that shared a sync. */
  readonly batches: Histogram;
}

/** How far the files of documents are behind the memory. */
export interface CheckpointFigures {
  readonly dirtySegments: number;
  /** Segments whose last write failed; each is tried again. */
  readonly failingSegments: number;
  /** Transactions from the oldest that only the journal has to the last. */
  readonly lag: number;
  /** Segments since the start. */
  readonly written: number;
  /** Milliseconds since 1970; undefined: nothing was due yet since the start. */
  readonly lastRoundMs: number | undefined;
}

export function statisticsOf(
  collections: Iterable<Pick<StoredCollection, "name" | "size">>,
  {
    folder,
    journal,
    checkpointer,
  }: { readonly folder: string; readonly journal: TransactionLog; readonly checkpointer: Checkpointer },
): StoreStatistics {
  return {
    documents: Object.fromEntries([...collections].map(({ name, size }) => [name, size])),
    journalBytes: journal.bytes,
    durableSequence: journal.durableSequence,
    freeBytes: diskSpaceOf(folder)?.freeBytes,
    journal: journal.figures,
    checkpoint: checkpointer.figures(),
  };
}
