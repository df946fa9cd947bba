import { collection, field, multi, type RecordOf, record, sum } from "../../../store/index.ts";
import type { StorageOwner } from "../../kernel/storage-quotas.ts";

/** The state of a job's log; its id is the job's. */
export const TraceRecord = record({
  id: field.whole,
  project_id: field.whole,
  /** Bytes, with those that are held back. */
  size: field.whole,
  chunks: field.whole,
  /** Small chunks at the end, see `joinChunks`; left out for none. */
  small_chunks: field.optional(field.whole),
  /** Bytes at the end that are the beginning of the job's token, see `masking.ts`; left out for none. */
  token_start: field.optional(field.whole),
  /** The runner said that it writes the variables of the job into the log. */
  has_debug_output: field.optional(field.oneOf(true)),
  /** The time when the runner first said that the job had ended, while bytes were missing. */
  awaited_since: field.optional(field.moment),
});
export type TraceRecord = RecordOf<typeof TraceRecord>;

export const traces = collection("job-traces", TraceRecord, {
  indexes: {
    storage: sum(({ project_id, size }) => [`project ${project_id}` satisfies StorageOwner, size]),
  },
  sequence: undefined,
  references: { project_id: "projects" },
});

/** The bytes of one append, or of several that were joined; once the log is sealed, all its bytes. */
export const TraceChunkRecord = record({
  /** Rising with the place in the log. */
  id: field.whole,
  job_id: field.whole,
  /** Hash of the blob that has the bytes. */
  blob: field.text,
});
export type TraceChunkRecord = RecordOf<typeof TraceChunkRecord>;

export const traceChunks = collection("job-trace-chunks", TraceChunkRecord, {
  indexes: { job_id: multi((chunk) => [chunk.job_id]) },
  blobsOf: (chunk) => [chunk.blob],
});
