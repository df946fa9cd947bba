import { theServer } from "../../../domain/caller.ts";
import { forbidden } from "../../../domain/failure.ts";
import { spend } from "../../../domain/work-budget.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { durationMsOf } from "../../../lib/text/ci-durations.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { cancelJob, enqueueJob, type JobKind, jobKind } from "../../core/background-jobs/index.ts";
import type { Context } from "../../kernel/context.ts";
import { insertRecord, updateRecord } from "../../kernel/record-events.ts";
import { serviceKey } from "../../kernel/service.ts";
import { sealTrace } from "../job-logs/index.ts";
import { ciJobEvents, pipelineEvents } from "./events.ts";
import { type PipelineRecord, pipelines } from "./records.ts";
import { type CiJobRecord, ciJobs, holdsResource, resourceKeyOf, untouched } from "./records-jobs.ts";
import { mailPipeline } from "./service-mails.ts";
import {
  bridgeStatusOf,
  finished,
  inOrder,
  type JobStatus,
  nextStatus,
  oneOfEachWeight,
  type Step,
  statusOf,
  stepsBefore,
} from "./status.ts";

/** The steps of a job whose pipeline is advanced. */
const stepsPerJob = 50;

/** The jobs of a pipeline that count: those that were not retried, by id. */
export function listCurrentJobs(store: Store, pipelineId: number): CiJobRecord[] {
  const documents = store.of(ciJobs);
  return [...documents.by.pipeline_id.find(pipelineId)]
    .map((id) => documents.get(id) as CiJobRecord)
    .filter((job) => job.is_retried !== true);
}

/** Starts the first stage of a new pipeline, which its maker saw `created`, or goes on with one. */
export const pipelineStart: JobKind = jobKind<{ readonly pipeline_id: number }>({
  kind: "pipeline_start",
  run({ context, payload, complete }) {
    context.store.transact((tx) => {
      advancePipeline(tx, context, payload.pipeline_id);
      complete(tx);
    });
  },
});

/** The kind of the background job that creates the pipeline of a `trigger:` job. */
export const bridgeStartKind = "bridge_start";

/** The kind of the background job that cancels a pipeline. */
export const pipelineCancellationKind = "pipeline_cancellation";

/** The kind of the background job that looks for the coverage in a log. */
export const jobCoverageKind = "ci_job_coverage";

/** Makes a delayed job pending when its time has come. */
export const delayedCiJob: JobKind = jobKind<{ readonly job_id: number }>({
  kind: "delayed_ci_job",
  run({ context, payload, complete }) {
    context.store.transact((tx) => {
      const job = context.store.of(ciJobs).get(payload.job_id);
      if (job?.status === "scheduled") updateJobStatus(tx, context, job, "pending");
      if (job !== undefined) advancePipeline(tx, context, job.pipeline_id);
      complete(tx);
    });
  },
});

/** Lets every job follow that has nothing to wait for any more, then the pipeline its jobs. */
export function advancePipeline(tx: Transaction, context: Context, pipelineId: number): void {
  const { store, clock } = context;
  const pipeline = store.of(pipelines).get(pipelineId);
  if (pipeline === undefined) return;
  const jobs = inOrder(listCurrentJobs(store, pipelineId));
  spend(jobs.length * stepsPerJob);
  const byName = new Map(jobs.map((job) => [job.name, job]));
  // The jobs are in the order of their stages: when the first of a stage is looked at, those before it stay as they are.
  const beforeStage = new Map<number, Step[]>();
  const before = (job: CiJobRecord): Step[] => {
    if (job.needs !== null) return stepsBefore(job, byName);
    const found = beforeStage.get(job.stage_idx) ?? oneOfEachWeight(stepsBefore(job, byName));
    beforeStage.set(job.stage_idx, found);
    return found;
  };
  for (const job of jobs) {
    const next = job.status === "created" ? nextStatus(job, before(job)) : undefined;
    if (next !== undefined) byName.set(job.name, updateJobStatus(tx, context, job, next));
  }
  followJobs(tx, context, pipeline, [...byName.values()], toDateTime(clock.now()));
}

/** The pipelines that the transaction under way has asked the background to advance. */
class AdvancedLater {
  #tx: Transaction | undefined;
  #ids = new Set<number>();

  /** True once for a pipeline in a transaction. */
  add(tx: Transaction, id: number): boolean {
    if (tx !== this.#tx) this.#ids = new Set();
    this.#tx = tx;
    return this.#ids.size < this.#ids.add(id).size;
  }
}

export const PipelinesAdvancedLater = serviceKey("pipelines-advanced-later", () => new AdvancedLater());

/** Advances another pipeline in the background: the jobs of one may make thousands of others go on. */
function advanceLater(tx: Transaction, context: Context, pipeline_id: number): void {
  if (!context.get(PipelinesAdvancedLater).add(tx, pipeline_id)) return;
  enqueueJob(tx, context, { kind: pipelineStart.kind, payload: { pipeline_id } });
}

function followJobs(
  tx: Transaction,
  context: Context,
  pipeline: PipelineRecord,
  jobs: readonly CiJobRecord[],
  now: string,
): void {
  const status = statusOf(jobs) ?? pipeline.status;
  if (status === pipeline.status) return;
  const hasEnded = finished.includes(status);
  const hasStarted = jobs.some(({ started_at }) => started_at !== null);
  const after = updateRecord(tx, context, theServer, pipelineEvents, {
    ...pipeline,
    status,
    started_at: pipeline.started_at ?? (hasStarted ? now : null),
    finished_at: hasEnded ? now : null,
    updated_at: now,
  });
  if (hasEnded) mailPipeline(tx, context, after);
  followDownstream(tx, context, pipeline, after);
}

/** Gives a `trigger:` job the status of the pipeline that it waits for, also when that runs again. */
function followDownstream(tx: Transaction, context: Context, before: PipelineRecord, after: PipelineRecord): void {
  const { store } = context;
  const job = after.upstream_job_id === undefined ? undefined : store.of(ciJobs).get(after.upstream_job_id);
  if (job?.trigger?.is_dependent !== true || job.is_retried === true) return;
  const isAgain = finished.includes(before.status) && finished.includes(job.status);
  const status = bridgeStatusOf(after.status);
  if (status === job.status || (job.status !== "running" && !isAgain)) return;
  updateJobStatus(tx, context, job, status, { failure_reason: status === "failed" ? "unknown_failure" : null });
  if (isAgain) reopenSkipped(tx, context, job.pipeline_id);
  // A chain of pipelines that wait for each other may be long.
  advanceLater(tx, context, job.pipeline_id);
}

/** Lets those wait again that were skipped for a job that has another chance. */
export function reopenSkipped(tx: Transaction, context: Context, pipelineId: number): void {
  for (const job of listCurrentJobs(context.store, pipelineId)) {
    if (job.status !== "skipped" || job.external !== undefined) continue;
    updateRecord(tx, context, theServer, ciJobEvents, { ...job, ...untouched, status: "created" });
  }
}

/** The fields that a replacement does not take over from its job. */
type Renewed = Partial<Pick<CiJobRecord, "user_id" | "is_played">>;

/** Jobs of one pipeline with those that were replaced: ten times as many as its file may have. They are deleted together. */
const pipelineJobsMax = 5_000;

/** Whether a pipeline may have no more jobs. */
export function isPipelineFull(store: Store, pipelineId: number): boolean {
  return store.of(ciJobs).by.pipeline_id.find(pipelineId).size >= pipelineJobsMax;
}

/** Creates a new job in the place of an ended one. Throws 403 when the pipeline has too many jobs. */
export function replaceJob(tx: Transaction, context: Context, job: CiJobRecord, renewed: Renewed = {}): CiJobRecord {
  const { store, clock } = context;
  if (isPipelineFull(store, job.pipeline_id)) throw forbidden("Job is not retryable: its pipeline has too many jobs");
  tx.update(ciJobs, { ...job, is_retried: true });
  const { is_retried: _, is_played, ...again } = untaken({ ...job, ...untouched });
  const created_at = toDateTime(clock.now());
  const replacement = { ...again, ...renewed, id: tx.nextId("ci_jobs"), status: "created" as const, created_at };
  return insertRecord(tx, context, theServer, ciJobEvents, replacement);
}

/** Returns the job without the fields of its runner. */
function untaken(job: CiJobRecord): CiJobRecord {
  const { token_digest: _, is_demo, runner_id, runner_manager_id, cancels_gracefully, ...ours } = job;
  const { timeout_s, timeout_job_id, exit_code, coverage, ...rest } = ours;
  // Its exit code may have allowed the failure; the next one's is not known.
  return rest.config.allowed_exit_codes === undefined ? rest : { ...rest, allow_failure: false };
}

/** Runs a job that failed once more, if its file has `retry:` for that; `advancePipeline` has to follow. */
export function autoRetry(tx: Transaction, context: Context, job: CiJobRecord): void {
  const { retry } = job.config;
  if (retry === undefined) return;
  const isWanted =
    retry.when.includes("always") ||
    retry.when.includes(job.failure_reason ?? "unknown_failure") ||
    (job.exit_code !== undefined && retry.exit_codes.includes(job.exit_code));
  const documents = context.store.of(ciJobs);
  const before = [...documents.by.pipeline_id.find(job.pipeline_id)].filter((id) => {
    const other = documents.get(id);
    return other?.is_retried === true && other.name === job.name;
  });
  if (!isWanted || before.length >= retry.max || isPipelineFull(context.store, job.pipeline_id)) return;
  replaceJob(tx, context, job, job.is_played ? { is_played: true } : {});
}

/** Changes the status of a job with the times that follow from it; `advancePipeline` has to follow. */
export function updateJobStatus(
  tx: Transaction,
  context: Context,
  job: CiJobRecord,
  wanted: JobStatus,
  more: Partial<CiJobRecord> = {},
): CiJobRecord {
  const now = context.clock.now();
  const time = toDateTime(now);
  const status = wanted === "pending" && isTaken(context.store, job) ? "waiting_for_resource" : wanted;
  const scheduled_at = status === "scheduled" ? toDateTime(now + durationMsOf(job.start_in)) : job.scheduled_at;
  if (status === "scheduled" && scheduled_at !== null) {
    enqueueJob(tx, context, { kind: delayedCiJob.kind, payload: { job_id: job.id }, due_at: scheduled_at });
  }
  const hasEnded = finished.includes(status);
  if (hasEnded) sealTrace(tx, context, job.id);
  if (hasEnded && job.config.coverage !== undefined && job.started_at !== null) {
    enqueueJob(tx, context, { kind: jobCoverageKind, payload: { job_id: job.id } });
  }
  if (hasEnded && job.timeout_job_id !== undefined) cancelJob(tx, context, job.timeout_job_id);
  if (job.is_bridge && status === "pending") {
    enqueueJob(tx, context, { kind: bridgeStartKind, payload: { job_id: job.id }, user_id: job.user_id });
  }
  const changed = updateRecord(tx, context, theServer, ciJobEvents, {
    ...job,
    status,
    scheduled_at,
    queued_at: status === "pending" ? time : job.queued_at,
    started_at: status === "running" ? time : job.started_at,
    finished_at: hasEnded ? time : null,
    ...more,
  });
  if (hasEnded) releaseResource(tx, context, job);
  if (status === "failed" && !changed.allow_failure) cancelForFailure(tx, context, changed);
  return changed;
}

/** Cancels the pipeline of a job that failed, if its file says so: later, when it is known whether the job runs again. */
function cancelForFailure(tx: Transaction, context: Context, { id, pipeline_id, user_id }: CiJobRecord): void {
  if (context.store.of(pipelines).get(pipeline_id)?.auto_cancel?.on_job_failure !== "all") return;
  enqueueJob(tx, context, { kind: pipelineCancellationKind, payload: { pipeline_id, failed_job_id: id }, user_id });
}

/** Whether another job has what one of this group needs alone. */
function isTaken(store: Store, job: CiJobRecord): boolean {
  return resourceKeyOf(job).some((key) => store.of(ciJobs).by.resource.find(key).size > 0);
}

/** Gives what a job had alone, and has no more, to the next one that waits for it. */
export function releaseResource(tx: Transaction, context: Context, before: CiJobRecord): void {
  if (!holdsResource(before)) return;
  const documents = context.store.of(ciJobs);
  for (const key of resourceKeyOf(before)) {
    const [next] = documents.by.resource_line.find(key);
    const job = next === undefined ? undefined : documents.get(next);
    if (job === undefined) continue;
    updateJobStatus(tx, context, job, "pending");
    if (job.pipeline_id !== before.pipeline_id) advanceLater(tx, context, job.pipeline_id);
  }
}
