import type { DateTime } from "../../../lib/datetime.ts";
import { bitmap, collection, ordered } from "../../../store/index.ts";

/** A job that is done has no record any more. */
export const jobStates = ["queued", "running", "failed"] as const;
export type JobState = (typeof jobStates)[number];

/** Work for later (design 4): there from the transaction that asked for it to the one that ends it. */
export interface JobRecord {
  readonly id: number;
  /** Name of a `JobKind`. */
  readonly kind: string;
  readonly state: JobState;
  /** Not started before. */
  readonly due_at: DateTime;
  /** Starts so far, but for those that a stop of the server ended. */
  readonly attempts: number;
  /** What the last attempt threw. */
  readonly last_error: string | null;
  /** JSON: what the job is about and how far it has come. Small, since each change of it is journalled whole. */
  readonly payload: unknown;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
}

export const jobs = collection<JobRecord>()("jobs", {
  state: bitmap((job) => [job.state]),
  id: ordered((job) => job.id),
  line: ordered((job) => `${lineOf(job.state, job.kind)}${job.due_at}`),
});

/** What the keys of `line` begin with for the jobs of a state and a kind; times and ids put them in order behind it. */
export function lineOf(state: JobState, kind: string): string {
  return `${state} ${kind} `;
}
