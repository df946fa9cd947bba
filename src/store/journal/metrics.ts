import type { Histogram } from "../../lib/histogram.ts";

/** Writes since the start. */
export interface JournalMetrics {
  readonly lines: number;
  readonly bytes: number;
  /** Seconds that a sync of the disk took. */
  readonly syncs: Histogram;
  /** Transactions that shared a sync. */
  readonly batches: Histogram;
}
