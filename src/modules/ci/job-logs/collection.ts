import type { DateTime } from "../../../lib/datetime.ts";
import { collection, multi } from "../../../store/index.ts";

/** How far the log of a job has come; its id is the job's. */
export interface TraceRecord {
  readonly id: number;
  /** Bytes, with those that are kept back. */
  readonly size: number;
  readonly chunks: number;
  /** How many bytes at its end are how the token of the job begins, see `masking.ts`; left out for none. */
  readonly token_start?: number;
  /** When the runner first said that the job had ended, while bytes were missing. */
  readonly awaited_since?: DateTime;
}

export const traces = collection<TraceRecord>()("job-traces", {});

/** What one append brought. */
export interface TraceChunkRecord {
  /** Rising with the place in the log. */
  readonly id: number;
  readonly job_id: number;
  /** Hash of the blob that has the bytes. */
  readonly blob: string;
}

export const traceChunks = collection<TraceChunkRecord>()(
  "job-trace-chunks",
  { job_id: multi((chunk) => [chunk.job_id]) },
  { blobsOf: (chunk) => [chunk.blob] },
);
