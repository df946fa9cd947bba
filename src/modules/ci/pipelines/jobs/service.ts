import { accessLevels } from "../../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../../domain/caller.ts";
import { forbidden, invalid, notFoundLowerCase } from "../../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../../domain/page.ts";
import { toDateTime } from "../../../../lib/datetime.ts";
import type { Condition, Store, Transaction } from "../../../../store/index.ts";
import { requireLevel } from "../../../core/access/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { updateRecord } from "../../../kernel/record-events.ts";
import { hasArtifacts, removeArtifacts } from "../../job-artifacts/index.ts";
import { removeTrace, traceEnd } from "../../job-logs/index.ts";
import { requireShortValues, requireVariableNames } from "../creation/given-variables.ts";
import { ciJobEvents } from "../events.ts";
import { canSetVariables, isProtectedRef, requireJobsEnabled, requireRefUpdater } from "../policy.ts";
import { type PipelineRecord, type PipelineVariable, pipelines } from "../records.ts";
import { type CiJobRecord, canceledStatusOf, ciJobs } from "../records-jobs.ts";
import { advancePipeline, reopenSkipped, replaceJob, updateJobStatus } from "../service-progress.ts";
import { finished, type JobStatus } from "../status.ts";

/** `GET /projects/:id/jobs`, newest first. */
export function listCiJobs(
  store: Store,
  { id }: ProjectRecord,
  { scope = [] }: { readonly scope?: readonly JobStatus[] },
  page: PageRequest,
): Page<CiJobRecord> {
  const where: Condition<typeof ciJobs.indexes>[] = [
    { index: "project_id", key: id },
    { index: "flag", key: "build" },
    ...(scope.length === 0 ? [] : [{ anyOf: scope.map((key) => ({ index: "status", key }) as const) }]),
  ];
  return store.page(ciJobs, { where, order: "id", descending: true, page });
}

/** Throws 404 for an unknown job, for one of another project, and for a bridge. */
export function getCiJob(store: Store, project: ProjectRecord, jobId: number): CiJobRecord {
  const job = getJobOrBridge(store, project, jobId);
  if (job.is_bridge) throw notFoundLowerCase();
  return job;
}

/** Throws 404 for an unknown job, for one of another project, and for the status of another system. */
export function getJobOrBridge(store: Store, { id }: ProjectRecord, jobId: number): CiJobRecord {
  const job = store.of(ciJobs).get(jobId);
  if (job === undefined || job.project_id !== id || job.external !== undefined) throw notFoundLowerCase();
  return job;
}

function getPipelineOf(store: Store, { pipeline_id }: CiJobRecord): PipelineRecord {
  return store.of(pipelines).get(pipeline_id) as PipelineRecord;
}

/** Throws 403 for those who may not update the ref of the job's pipeline. */
export function requireJobUpdater(
  context: Context,
  caller: SignedInCaller,
  job: CiJobRecord,
  project: ProjectRecord,
): void {
  requireRefUpdater(context, caller, project, getPipelineOf(context.store, job));
}

/**
 * Cancels a job; one that has ended stays as it is. With `isForced`, a maintainer ends one whose runner does not end it. Throws
 * 403.
 */
export function cancelCiJob(
  context: Context,
  caller: SignedInCaller,
  job: CiJobRecord,
  project: ProjectRecord,
  { isForced = false }: { readonly isForced?: boolean | undefined } = {},
): CiJobRecord {
  requireJobUpdater(context, caller, job, project);
  if (isForced) requireLevel(context, caller, { project }, accessLevels.maintainer);
  const isWanted = isForced ? job.status === "canceling" : !finished.includes(job.status) && job.status !== "canceling";
  if (!isWanted) return job;
  const status = isForced ? "canceled" : canceledStatusOf(job);
  return change(context, job, (tx) => updateJobStatus(tx, context, job, status).id);
}

/**
 * Replaces a finished job with a new one of the caller, and lets jobs that were skipped because of it wait again. A
 * manual job that was played runs again at once. Throws 403.
 */
export function retryCiJob(
  context: Context,
  caller: SignedInCaller,
  job: CiJobRecord,
  project: ProjectRecord,
): CiJobRecord {
  requireJobsEnabled(project);
  requireJobUpdater(context, caller, job, project);
  const hasEnded = job.status !== "skipped" && finished.includes(job.status);
  if (!hasEnded || job.is_retried === true) throw forbidden("Job is not retryable");
  const isStarted = job.when === "manual" || job.when === "delayed";
  return change(context, job, (tx) => {
    const again = replaceJob(tx, context, job, { user_id: caller.user.id, ...(isStarted ? { is_played: true } : {}) });
    reopenSkipped(tx, context, job.pipeline_id);
    return again.id;
  });
}

/** Erases log and artifacts of an ended job. Other people's jobs and those of protected refs need a maintainer. Throws 403. */
export function eraseCiJob(
  context: Context,
  caller: SignedInCaller,
  job: CiJobRecord,
  project: ProjectRecord,
): CiJobRecord {
  const pipeline = getPipelineOf(context.store, job);
  requireRefUpdater(context, caller, project, pipeline);
  const isOwn = job.user_id === caller.user.id && !isProtectedRef(context, project, pipeline);
  if (!isOwn) requireLevel(context, caller, { project }, accessLevels.maintainer);
  if (!finished.includes(job.status) || !hasOutput(context.store, job)) throw forbidden("Job is not erasable!");
  const erased_at = toDateTime(context.clock.now());
  return context.store.transact((tx) => {
    removeTrace(tx, context.store, job.id);
    removeArtifacts(tx, context.store, job.id);
    return updateRecord(tx, context, caller, ciJobEvents, { ...job, erased_at });
  });
}

/** Whether a job has something to erase: a log or an artifact. */
function hasOutput(store: Store, { id }: CiJobRecord): boolean {
  return traceEnd(store, id).size > 0 || hasArtifacts(store, id);
}

/**
 * Starts a manual or delayed job now, as the caller's own, and lets those wait for it that were skipped without it.
 * Throws 403 and 400.
 */
export function playCiJob(
  context: Context,
  caller: SignedInCaller,
  job: CiJobRecord,
  project: ProjectRecord,
  given: readonly PipelineVariable[],
): CiJobRecord {
  requireJobsEnabled(project);
  requireJobUpdater(context, caller, job, project);
  const { user } = caller;
  if (given.length > 0 && !canSetVariables(context, user, project)) throw forbidden();
  if (job.status !== "manual" && job.status !== "scheduled") throw invalid("400 Bad request - Unplayable Job");
  requireShortValues(given);
  requireVariableNames(given);
  return change(context, job, (tx) => {
    reopenSkipped(tx, context, job.pipeline_id);
    const played = given.length === 0 ? {} : { played_variables: given };
    return updateJobStatus(tx, context, job, "pending", { user_id: user.id, is_played: true, ...played }).id;
  });
}

function change(context: Context, { pipeline_id }: CiJobRecord, act: (tx: Transaction) => number): CiJobRecord {
  const { store } = context;
  return store.transact((tx) => {
    const id = act(tx);
    advancePipeline(tx, context, pipeline_id);
    return store.of(ciJobs).get(id) as CiJobRecord;
  });
}
