import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { enqueueJob, type JobKind, jobKind, Slice } from "../../core/background-jobs/index.ts";
import { projectSettingOf, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type PipelineRecord, type PipelineSource, pipelines, refKey } from "./records.ts";
import { type CiJobRecord, canceledStatusOf, ciJobs } from "./records-jobs.ts";
import { advancePipeline, listCurrentJobs, pipelineCancellationKind, updateJobStatus } from "./service-progress.ts";
import { finished, type JobStatus, statuses } from "./status.ts";

/** Jobs of other pipelines that one cancellation cancels at once; a background job cancels the rest. */
const atOnceMax = 500;

/**
 * Cancels what is not over of the jobs of a pipeline, which the caller advances, and of its child pipelines: those are in the
 * hundreds, and each has hundreds of jobs.
 */
export function cancelJobs(
  tx: Transaction,
  context: Context,
  jobs: readonly CiJobRecord[],
  slice = new Slice(tx, atOnceMax),
): void {
  const documents = context.store.of(pipelines);
  cancelEach(tx, context, jobs);
  for (const job of jobs) {
    for (const id of job.is_bridge ? [...documents.by.upstream_job_id.find(job.id)] : []) {
      if (documents.get(id)?.source === "parent_pipeline") cancelPipelineIn(tx, context, { pipeline_id: id }, slice);
    }
  }
}

function cancelEach(tx: Transaction, context: Context, jobs: readonly CiJobRecord[]): void {
  for (const { id } of jobs) {
    // A job that another pipeline canceled meanwhile stays as it is.
    const job = context.store.of(ciJobs).get(id);
    if (job === undefined || finished.includes(job.status) || job.status === "canceling") continue;
    updateJobStatus(tx, context, job, canceledStatusOf(job));
  }
}

/** A pipeline to cancel. */
interface Cancellation {
  readonly pipeline_id: number;
  /** For a newer commit of its ref: as far as its file lets itself be canceled. */
  readonly is_outdated?: true;
  /** For this job, which failed, unless another one was made of it. */
  readonly failed_job_id?: number;
}

function cancelPipelineIn(tx: Transaction, context: Context, wanted: Cancellation, slice: Slice): void {
  if (slice.isFull) {
    enqueueJob(tx, context, { kind: pipelineCancellation.kind, payload: wanted });
    return;
  }
  const { store } = context;
  if (wanted.failed_job_id !== undefined && store.of(ciJobs).get(wanted.failed_job_id)?.is_retried === true) return;
  const jobs = listCurrentJobs(store, wanted.pipeline_id);
  slice.add(1 + jobs.length);
  if (wanted.is_outdated) cancelEach(tx, context, outdatedJobs(store.of(pipelines).get(wanted.pipeline_id), jobs));
  else cancelJobs(tx, context, jobs, slice);
  advancePipeline(tx, context, wanted.pipeline_id);
}

/** Cancels one pipeline, and leaves those below it to other jobs. */
export const pipelineCancellation: JobKind = jobKind<Cancellation>({
  kind: pipelineCancellationKind,
  run({ context, payload, complete }) {
    context.store.transact((tx) => {
      cancelPipelineIn(tx, context, payload, new Slice(tx, 1));
      complete(tx);
    });
  },
});

/**
 * The jobs that a newer commit cancels. `conservative`: all, unless one that is not `interruptible` has started;
 * `interruptible`: those that are.
 */
function outdatedJobs(pipeline: PipelineRecord | undefined, jobs: readonly CiJobRecord[]): readonly CiJobRecord[] {
  switch (pipeline?.auto_cancel?.on_new_commit) {
    case "none":
      return [];
    case "interruptible":
      return jobs.filter(({ interruptible }) => interruptible);
    default:
      return jobs.some(isHeld) ? [] : jobs;
  }
}

const startedStatuses: readonly JobStatus[] = ["running", "success", "failed"];

function isHeld({ interruptible, is_bridge, status }: CiJobRecord): boolean {
  return interruptible !== true && !is_bridge && startedStatuses.includes(status);
}

/** The number of older pipelines of a ref that a new one checks. */
const olderMax = 20;
const olderDays = 7;
const unfinished = statuses.filter((status) => !finished.includes(status) && status !== "manual");
/** Pipelines of these are not about a ref as such. */
const dangling: readonly PipelineSource[] = [
  ...(["webide", "ondemand_dast_scan", "ondemand_dast_validation", "security_orchestration_policy"] as const),
];

/** Cancels pipelines of older commits of the same ref, if the project wants that, each as its file says. */
export function cancelOlder(tx: Transaction, context: Context, pipeline: PipelineRecord): void {
  const { store } = context;
  const project = store.of(projects).get(pipeline.project_id);
  if (project === undefined || pipeline.source === "parent_pipeline") return;
  if (projectSettingOf(project, "auto_cancel_pending_pipelines") !== "enabled") return;
  const from = toDateTime(context.clock.now() - olderDays * 24 * 60 * 60 * 1000);
  const where = [
    { index: "ref", key: refKey(pipeline.project_id, pipeline.ref) },
    { index: "created_at", from, to: undefined },
    { anyOf: unfinished.map((key) => ({ index: "status", key }) as const) },
  ] as const;
  const page = { kind: "keyset", after: undefined, perPage: olderMax } as const;
  const slice = new Slice(tx, atOnceMax);
  for (const older of store.page(pipelines, { where, order: "id", descending: true, page }).items) {
    if (older.sha === pipeline.sha || dangling.includes(older.source)) continue;
    cancelPipelineIn(tx, context, { pipeline_id: older.id, is_outdated: true }, slice);
  }
}
