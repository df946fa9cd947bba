import type { Durations } from "../../lib/histogram.ts";

/** What was written since the start. */
export interface JournalFigures {
  readonly lines: number;
  readonly bytes: number;
  /** Of the disk. */
  readonly syncs: Durations;
}
