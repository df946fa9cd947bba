import { Failure, forbidden } from "../../../domain/failure.ts";
import { Access } from "../../core/access/index.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { findJobByToken } from "../pipelines/index.ts";
import { type CiJobRecord, isProcessed } from "../pipelines/records-jobs.ts";

/**
 * The job that a runner speaks of, with the job's own token. Throws 403 for a token that is not its own; and for a job on
 * which no runner works, with its status in `Job-Status`: so a runner learns that it was canceled.
 */
export function getRunningJob(context: Context, id: number, token: string | undefined): CiJobRecord {
  const { store } = context;
  const job = token === undefined ? undefined : findJobByToken(store, token);
  if (job === undefined || job.id !== id) throw forbidden();
  const project = store.of(projects).get(job.project_id);
  if (project === undefined || context.get(Access).isBeingDeleted({ project }))
    throw forbidden("Project has been deleted!");
  if (job.erased_at !== null) throw forbidden("Job has been erased!");
  if (isProcessed(job)) return job;
  const message = "403 Forbidden - Job is not processing on runner";
  throw new Failure("forbidden", { message }, { headers: { "Job-Status": job.status } });
}

/** Throws the result of an ended job, if its own token was sent. */
export function requireJobNotEnded(context: Context, id: string | undefined, token: unknown): void {
  if (typeof token !== "string" || findJobByToken(context.store, token) === undefined) return;
  getRunningJob(context, Number(id), token);
}
