import type { Transaction } from "../../../store/index.ts";
import { projectSettingsOf, projects } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type CiJobRecord, ciJobs } from "./jobs/records.ts";
import { type PipelineRecord, pipelines, refKey } from "./records.ts";
import { advancePipeline, listCurrentJobs, updateJobStatus } from "./service-progress.ts";
import { finished, statuses } from "./status.ts";

/** Cancels what is not over of these jobs, and of those of the child pipelines that they made. */
export function cancelJobs(tx: Transaction, context: Context, jobs: readonly CiJobRecord[]): void {
  const documents = context.store.of(pipelines);
  for (const { id } of jobs) {
    // A job that another pipeline canceled meanwhile stays as it is.
    const job = context.store.of(ciJobs).get(id);
    if (job !== undefined && !finished.includes(job.status)) updateJobStatus(tx, context, job, "canceled");
  }
  for (const job of jobs) {
    for (const id of job.is_bridge ? [...documents.by.upstream_job_id.find(job.id)] : []) {
      if (documents.get(id)?.source !== "parent_pipeline") continue;
      cancelJobs(tx, context, listCurrentJobs(context.store, id));
      advancePipeline(tx, context, id);
    }
  }
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
  if (projectSettingsOf(project).auto_cancel_pending_pipelines !== "enabled") return;
  const where = [
    { index: "ref", key: refKey(pipeline.project_id, pipeline.ref) },
    { anyOf: unfinished.map((key) => ({ index: "status", key }) as const) },
  ] as const;
  const page = { kind: "keyset", after: undefined, perPage: olderMax } as const;
  for (const older of store.page(pipelines, { where, order: "id", descending: true, page }).items) {
    if (older.id === pipeline.id || older.sha === pipeline.sha || older.source === "parent_pipeline") continue;
    const jobs = listCurrentJobs(store, older.id);
    const isHeld = jobs.some((job) => job.interruptible !== true && job.started_at !== null);
    if (isHeld || !jobs.some(({ interruptible }) => interruptible)) continue;
    cancelJobs(tx, context, jobs);
    advancePipeline(tx, context, older.id);
  }
}
