/** The start and the end of jobs with `trigger:`. */

import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { type JobKind, jobKind } from "../../core/background-jobs/index.ts";
import { findUser, WriteQuota } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { insertPipeline, type PlannedPipeline } from "./creation/service-create.ts";
import { creationFailed, downstreamOf, planDownstream } from "./downstream.ts";
import type { PipelineRecord } from "./records.ts";
import { type CiJobRecord, ciJobs } from "./records-jobs.ts";
import { advancePipeline, bridgeStartKind, updateJobStatus } from "./service-progress.ts";

/** Makes the pipeline of a `trigger:` job, as its user and with the rights that they have now. */
export const bridgeStart: JobKind = jobKind<{ readonly job_id: number }>({
  kind: bridgeStartKind,
  takesTurns: true,
  async run({ context, payload, complete }) {
    const find = () => {
      const job = context.store.of(ciJobs).get(payload.job_id);
      return job?.status === "pending" ? job : undefined;
    };
    const before = find();
    if (before === undefined) return;
    const wanted = downstreamOf(context, before);
    const planned = typeof wanted === "string" ? undefined : await planDownstream(context, wanted);
    const end = () =>
      context.store.transact((tx) => {
        // After the wait for the repository, the job may have ended, and its user may have lost the right.
        const job = find();
        if (job !== undefined) settle(tx, context, job, planned);
        complete(tx);
      });
    const user = findUser(context.store, before.user_id);
    if (user === undefined) end();
    else context.get(WriteQuota).charge(user, end);
  },
  gaveUp(tx, { context, payload }) {
    const job = context.store.of(ciJobs).get(payload.job_id);
    if (job?.status === "pending") fail(tx, context, job, creationFailed);
  },
});

function settle(tx: Transaction, context: Context, job: CiJobRecord, planned: PlannedPipeline | undefined): void {
  const wanted = downstreamOf(context, job);
  if (typeof wanted === "string" || planned === undefined) {
    fail(tx, context, job, typeof wanted === "string" ? wanted : creationFailed);
    return;
  }
  // One with an invalid file is there, for people to read what is wrong with it.
  if (insertPipeline(tx, context, planned).yaml_errors !== null) {
    fail(tx, context, job, creationFailed);
    return;
  }
  const started_at = toDateTime(context.clock.now());
  updateJobStatus(tx, context, job, job.trigger?.is_dependent === true ? "running" : "success", { started_at });
  advancePipeline(tx, context, job.pipeline_id);
}

function fail(tx: Transaction, context: Context, job: CiJobRecord, failure_reason: string): void {
  updateJobStatus(tx, context, job, "failed", { failure_reason });
  advancePipeline(tx, context, job.pipeline_id);
}

/** Ends the jobs that wait for a pipeline that is deleted. */
export function releaseBridge(tx: Transaction, context: Context, { upstream_job_id: id }: PipelineRecord): void {
  const job = id === undefined ? undefined : context.store.of(ciJobs).get(id);
  if (job?.trigger?.is_dependent === true && job.status === "running") fail(tx, context, job, "unknown_failure");
}
