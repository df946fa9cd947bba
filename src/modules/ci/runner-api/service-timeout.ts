import type { Transaction } from "../../../store/index.ts";
import { type JobKind, jobKind } from "../../core/background-jobs/index.ts";
import type { Context } from "../../kernel/context.ts";
import { advancePipeline, autoRetry, updateJobStatus } from "../pipelines/index.ts";
import { type CiJobRecord, ciJobs, isProcessed } from "../pipelines/records-jobs.ts";

/** A runner that keeps the time itself gets to say so, and to send the end of the log. */
export const graceMs = 60_000;

/** Ends a job that runs beyond its time, such as one whose runner is gone. */
export const ciJobTimeout: JobKind = jobKind<{ readonly job_id: number }>({
  kind: "ci_job_timeout",
  run({ context, payload, complete }) {
    context.store.transact((tx) => {
      complete(tx);
      const job = context.store.of(ciJobs).get(payload.job_id);
      if (job === undefined || !isProcessed(job)) return;
      const { timeout_job_id: _, ...rest } = job;
      if (job.status === "canceling") finishJob(tx, context, rest, "canceled");
      else finishJob(tx, context, rest, "failed", { failure_reason: "job_execution_timeout" });
    });
  },
});

/** Ends a running job, and lets its pipeline follow; one that failed may run again by itself. */
export function finishJob(
  tx: Transaction,
  context: Context,
  job: CiJobRecord,
  status: "success" | "failed" | "canceled",
  more: Partial<CiJobRecord> = {},
): CiJobRecord {
  const ended = updateJobStatus(tx, context, job, status, more);
  if (status === "failed") autoRetry(tx, context, ended);
  advancePipeline(tx, context, job.pipeline_id);
  return ended;
}
