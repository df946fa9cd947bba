import type { Transaction } from "../../../store/index.ts";
import { enqueueJob, type JobKind, jobKind, Slice } from "../../core/background-jobs/index.ts";
import { projectSettingOf, projects } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type CiJobRecord, canceledStatusOf, ciJobs } from "./jobs/records.ts";
import { type PipelineRecord, pipelines, refKey } from "./records.ts";
import { advancePipeline, listCurrentJobs, updateJobStatus } from "./service-progress.ts";
import { finished, statuses } from "./status.ts";

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
  for (const { id } of jobs) {
    // A job that another pipeline canceled meanwhile stays as it is.
    const job = context.store.of(ciJobs).get(id);
    if (job === undefined || finished.includes(job.status) || job.status === "canceling") continue;
    updateJobStatus(tx, context, job, canceledStatusOf(job));
  }
  for (const job of jobs) {
    for (const id of job.is_bridge ? [...documents.by.upstream_job_id.find(job.id)] : []) {
      if (documents.get(id)?.source === "parent_pipeline") cancelPipelineIn(tx, context, { pipeline_id: id }, slice);
    }
  }
}

/** A pipeline to cancel. */
interface Cancellation {
  readonly pipeline_id: number;
  /** For a newer commit of its branch, unless a job runs or ran that is not `interruptible`. */
  readonly is_outdated?: true;
}

function cancelPipelineIn(tx: Transaction, context: Context, wanted: Cancellation, slice: Slice): void {
  if (slice.isFull) {
    enqueueJob(tx, context, { kind: pipelineCancellation.kind, payload: wanted });
    return;
  }
  const jobs = listCurrentJobs(context.store, wanted.pipeline_id);
  if (wanted.is_outdated && !isInterruptible(jobs)) return;
  slice.add(1 + jobs.length);
  cancelJobs(tx, context, jobs, slice);
  advancePipeline(tx, context, wanted.pipeline_id);
}

/** Cancels one pipeline, and leaves those below it to other jobs. */
export const pipelineCancellation: JobKind = jobKind<Cancellation>({
  kind: "pipeline_cancellation",
  run({ context, payload, complete }) {
    context.store.transact((tx) => {
      cancelPipelineIn(tx, context, payload, new Slice(tx, 1));
      complete(tx);
    });
  },
});

function isInterruptible(jobs: readonly CiJobRecord[]): boolean {
  const isHeld = jobs.some((job) => job.interruptible !== true && job.started_at !== null);
  return !isHeld && jobs.some(({ interruptible }) => interruptible);
}

/** The number of older pipelines of a ref that a new one checks. */
const olderMax = 20;
const unfinished = statuses.filter((status) => !finished.includes(status));

/**
 * Cancels pipelines of older commits of the same branch, if the project wants that, they say `interruptible`, and nothing
 * runs or ran in them that does not.
 */
export function cancelOlder(tx: Transaction, context: Context, pipeline: PipelineRecord): void {
  const { store } = context;
  const project = store.of(projects).get(pipeline.project_id);
  if (project === undefined || pipeline.tag || pipeline.source === "parent_pipeline") return;
  if (projectSettingOf(project, "auto_cancel_pending_pipelines") !== "enabled") return;
  const where = [
    { index: "ref", key: refKey(pipeline.project_id, pipeline.ref) },
    { anyOf: unfinished.map((key) => ({ index: "status", key }) as const) },
  ] as const;
  const page = { kind: "keyset", after: undefined, perPage: olderMax } as const;
  const slice = new Slice(tx, atOnceMax);
  for (const older of store.page(pipelines, { where, order: "id", descending: true, page }).items) {
    if (older.id === pipeline.id || older.sha === pipeline.sha || older.source === "parent_pipeline") continue;
    cancelPipelineIn(tx, context, { pipeline_id: older.id, is_outdated: true }, slice);
  }
}
