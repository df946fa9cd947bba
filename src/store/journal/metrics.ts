import type { Histogram } from "../../lib/histogram.ts";

/** Counts of journal writes since the start. */
export interface JournalMetrics {
  readonly lines: number;
  readonly bytes: number;
  /** The duration of disk syncs, in seconds. */
  readonly syncs: Histogram;
  /** The number of transactions that shared a sync. */
  readonly batches: Histogram;
}
