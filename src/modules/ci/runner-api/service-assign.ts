import { toDateTime } from "../../../lib/datetime.ts";
import { digestOf } from "../../../lib/token-digest.ts";
import type { Transaction } from "../../../store/index.ts";
import { enqueueJob } from "../../core/background-jobs/index.ts";
import { type ProjectRecord, projectSettingOf, projects } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { jobTokenPrefix } from "../job-logs/index.ts";
import { advancePipeline, type CiJobRecord, updateJobStatus } from "../pipelines/index.ts";
import type { RunnerRecord } from "../runners/index.ts";
import { canAct, endLaterFor } from "./service-blocked-users.ts";
import { ciJobTimeout, graceMs } from "./service-timeout.ts";
import { findOldestJobFor } from "./service-waiting.ts";

/** A job that runs, and its token, which is sent once and not stored. */
export interface AssignedJob {
  readonly job: CiJobRecord;
  readonly token: string;
}

const tokenRandomLength = 20;

/** Jobs of users who may not act any more that one look ends; the background ends the others. */
const refusedMax = 3;

/** Gives a runner the oldest job that waits for one like it; it runs from now on. */
export function assignJob(context: Context, runner: RunnerRecord, managerId: number): AssignedJob | undefined {
  for (let refused = 1; ; refused += 1) {
    const job = findOldestJobFor(context, runner);
    if (job === undefined) return undefined;
    const taken = context.store.transact((tx) => take(tx, context, job, runner, managerId));
    if (taken !== undefined) return taken;
    if (refused === refusedMax) {
      endLaterFor(context, job.user_id);
      return undefined;
    }
  }
}

/** undefined for a job whose user may not act any more: it has failed. */
function take(
  tx: Transaction,
  context: Context,
  job: CiJobRecord,
  runner: RunnerRecord,
  managerId: number,
): AssignedJob | undefined {
  if (!canAct(context, job.user_id)) {
    updateJobStatus(tx, context, job, "failed", { failure_reason: "user_blocked" });
    advancePipeline(tx, context, job.pipeline_id);
    return undefined;
  }
  const token = `${jobTokenPrefix}${context.randomness.token(tokenRandomLength)}`;
  const timeout_s = timeoutOf(context.store.of(projects).get(job.project_id) as ProjectRecord, job, runner);
  const due_at = toDateTime(context.clock.now() + timeout_s * 1000 + graceMs);
  const timeout = enqueueJob(tx, context, { kind: ciJobTimeout.kind, payload: { job_id: job.id }, due_at });
  const running = updateJobStatus(tx, context, job, "running", {
    token_digest: digestOf(token),
    runner_id: runner.id,
    runner_manager_id: managerId,
    timeout_s,
    timeout_job_id: timeout.id,
  });
  advancePipeline(tx, context, job.pipeline_id);
  return { job: running, token };
}

/** Seconds: those of the job, else of the project, and no more than the runner grants. */
function timeoutOf(project: ProjectRecord, { config }: CiJobRecord, { maximum_timeout }: RunnerRecord): number {
  const wanted = config.timeout_s ?? projectSettingOf(project, "build_timeout");
  return maximum_timeout === null ? wanted : Math.min(wanted, maximum_timeout);
}
