import type { DateTime } from "../../../lib/datetime.ts";
import { collection, multi } from "../../../store/index.ts";

/** A file that a job has left: its archive, or a report. */
export interface JobArtifactRecord {
  readonly id: number;
  readonly job_id: number;
  /** Left out by earlier versions, which did not count it in the statistics of the project. */
  readonly project_id?: number;
  /** `archive`, or what kind of report it is; one of each a job. */
  readonly file_type: string;
  readonly file_format: string;
  readonly filename: string;
  /** Bytes. */
  readonly size: number;
  /** Hash of the blob. */
  readonly blob: string;
  readonly expires_at: DateTime | null;
}

export const jobArtifacts = collection<JobArtifactRecord>()(
  "job-artifacts",
  { job_id: multi((artifact) => [artifact.job_id]) },
  { blobsOf: (artifact) => [artifact.blob] },
);
