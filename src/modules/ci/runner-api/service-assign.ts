import { toDateTime } from "../../../lib/datetime.ts";
import { digestOf } from "../../../lib/token-digest.ts";
import type { Transaction } from "../../../store/index.ts";
import { enqueueJob } from "../../core/background-jobs/index.ts";
import { type ProjectRecord, projectSettingOf, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { jobTokenPrefix } from "../job-logs/index.ts";
import { advancePipeline, type FailureReason, findDependencies, updateJobStatus } from "../pipelines/index.ts";
import type { CiJobRecord } from "../pipelines/records-jobs.ts";
import type { RunnerRecord } from "../runners/records.ts";
import { canAct, endLaterFor } from "./service-blocked-users.ts";
import { ciJobTimeout, graceMs } from "./service-timeout.ts";
import { findOldestJobFor } from "./service-waiting.ts";

/** A job that runs, and its token, which is sent once and not stored. */
export interface AssignedJob {
  readonly job: CiJobRecord;
  readonly token: string;
}

/** The request of a runner's machine for a job. */
export interface Taker {
  readonly runner: RunnerRecord;
  readonly managerId: number;
  /** The platform's names for what the machine's program can do. */
  readonly features: ReadonlySet<string>;
  /** A job must have waited for so long. */
  readonly jobAgeSeconds: number;
}

const tokenRandomLength = 20;

/** Jobs that cannot run that one look ends. */
const refusedMax = 3;

/** Gives a runner the oldest job that waits for one like it; it runs from now on. */
export function assignJob(context: Context, taker: Taker): AssignedJob | undefined {
  for (let refused = 1; refused <= refusedMax; refused += 1) {
    const job = findOldestJobFor(context, taker.runner, taker);
    if (job === undefined) return undefined;
    const taken = context.store.transact((tx) => take(tx, context, job, taker));
    if (taken !== undefined) return taken;
    if (refused === refusedMax && !canAct(context, job.user_id)) endLaterFor(context, job.user_id);
  }
  return undefined;
}

/** undefined for a job that cannot run: it has failed. */
function take(
  tx: Transaction,
  context: Context,
  job: CiJobRecord,
  { runner, managerId, features }: Taker,
): AssignedJob | undefined {
  const failure_reason = refusalOf(context, job, features);
  if (failure_reason !== undefined) {
    updateJobStatus(tx, context, job, "failed", { failure_reason, runner_id: runner.id });
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
    ...(features.has("cancel_gracefully") ? { cancels_gracefully: true as const } : {}),
    timeout_s,
    timeout_job_id: timeout.id,
  });
  advancePipeline(tx, context, job.pipeline_id);
  return { job: running, token };
}

/** Why a job must not run; undefined when it may. */
function refusalOf(context: Context, job: CiJobRecord, features: ReadonlySet<string>): FailureReason | undefined {
  const { jobs, isComplete } = findDependencies(context, job);
  if (!isComplete || jobs.some(({ erased_at }) => erased_at !== null)) return "missing_dependency_failure";
  if (neededFeatures(job).some((feature) => !features.has(feature))) return "runner_unsupported";
  return canAct(context, job.user_id) ? undefined : "user_blocked";
}

/** The features without which a runner would publish excluded files, or leave out the release. */
function neededFeatures({ config: { artifacts, release } }: CiJobRecord): string[] {
  const exclude =
    typeof artifacts === "object" && artifacts !== null && "exclude" in artifacts ? artifacts.exclude : [];
  return [
    ...(Array.isArray(exclude) && exclude.length > 0 ? ["artifacts_exclude"] : []),
    ...(release === undefined ? [] : ["multi_build_steps"]),
  ];
}

/** Seconds: those of the job, else of the project, and no more than the runner grants. */
function timeoutOf(project: ProjectRecord, { config }: CiJobRecord, { maximum_timeout }: RunnerRecord): number {
  const wanted = config.timeout_s ?? projectSettingOf(project, "build_timeout");
  return maximum_timeout === null ? wanted : Math.min(wanted, maximum_timeout);
}
