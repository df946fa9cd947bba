import type { Static } from "@sinclair/typebox";
import type { JobRecord } from "./records.ts";
import type { Job } from "./schema.ts";

/** Leaves out the payload, which belongs to the kind of job. */
export function presentJob(job: JobRecord): Static<typeof Job> {
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    due_at: job.due_at,
    attempts: job.attempts,
    last_error: job.last_error,
    created_at: job.created_at,
    updated_at: job.updated_at,
  };
}
