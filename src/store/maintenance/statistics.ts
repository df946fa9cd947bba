import type { TransactionLog } from "../journal/journal.ts";
import type { JournalMetrics } from "../journal/metrics.ts";
import { diskSpaceOf } from "../journal/write-refusal.ts";
import type { Checkpointer, CheckpointMetrics } from "../segments/checkpointer.ts";
import type { StoredCollection } from "../stored-collection.ts";

/** Metrics of a store since it was opened. */
export interface StoreStatistics {
  /** The number of documents per collection. */
  readonly documents: Readonly<Record<string, number>>;
  /** The size of the journal that a start would replay. */
  readonly journalBytes: number;
  readonly durableSequence: number;
  /** The free bytes on the disk of the folder; undefined if the system does not report them. */
  readonly freeBytes: number | undefined;
  readonly journal: JournalMetrics;
  readonly checkpoint: CheckpointMetrics;
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
    journal: journal.metrics,
    checkpoint: checkpointer.metrics(),
  };
}
