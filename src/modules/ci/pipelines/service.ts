import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { Failure, forbidden, invalid, requireUnmodified } from "../../../domain/failure.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import type { Transaction } from "../../../store/index.ts";
import { getProject, levelIn, requireLevel } from "../../core/access/index.ts";
import { recordAuditEvent } from "../../core/audit-events/index.ts";
import { projectPathOf, projectRemoval } from "../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { removeRecord, updateRecord } from "../../kernel/record-events.ts";
import { removeArtifacts } from "../job-artifacts/index.ts";
import { removeTrace } from "../job-logs/index.ts";
import { releaseBridge } from "./bridges.ts";
import { requireShortValues } from "./creation/given-variables.ts";
import { insertPipeline, type PipelineRequest, planPipeline, requirePipelineRight } from "./creation/service-create.ts";
import { pipelineEvents } from "./events.ts";
import { requireJobsEnabled, requireRefUpdater } from "./policy.ts";
import { type PipelineRecord, pipelines } from "./records.ts";
import { type CiJobRecord, ciJobs } from "./records-jobs.ts";
import { cancelJobs } from "./service-cancel.ts";
import { advancePipeline, listCurrentJobs, releaseResource, reopenSkipped, replaceJob } from "./service-progress.ts";

/** `POST /projects/:id/pipeline`. Throws 400, for an invalid CI file too. */
export async function createPipeline(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { ref, variables, inputs }: Pick<PipelineRequest, "ref" | "variables" | "inputs">,
  baseUrl: string,
): Promise<PipelineRecord> {
  const request: PipelineRequest = {
    project,
    user: caller.user,
    ref,
    source: "api",
    variables,
    ...(inputs === undefined ? {} : { inputs }),
    baseUrl,
  };
  requireShortValues(variables);
  const planned = await planPipeline(context, request);
  if ("yamlError" in planned.outcome) {
    throw new Failure("invalid", { message: { base: [planned.outcome.yamlError] } });
  }
  return context.store.transact((tx) => {
    // After the wait for the repository, the caller may have lost the right, and the project may be deleted.
    const now = getProject(context, caller, project.id);
    requireLevel(context, caller, { project: now }, accessLevels.developer);
    requirePipelineRight(context, { ...request, project: now });
    return insertPipeline(tx, context, planned);
  });
}

/** The variables that were given; for maintainers, and for whose pipeline it is. Throws 403. */
export function listPipelineVariables(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  pipeline: PipelineRecord,
) {
  const isOwn = pipeline.user_id === caller.user.id;
  if (!isOwn && levelIn(context, caller, { project }) < accessLevels.maintainer) throw forbidden();
  return pipeline.variables.map(({ variable_type, key, value, raw = false }) => ({ variable_type, key, value, raw }));
}

/** `PUT …/pipelines/:pipeline_id/metadata`. Throws 400 and 403. */
export function updatePipeline(
  context: Context,
  caller: SignedInCaller,
  pipeline: PipelineRecord,
  project: ProjectRecord,
  given: string,
): PipelineRecord {
  requireRefUpdater(context, caller, project, pipeline);
  const { store, clock } = context;
  const name = given.trim();
  requireNameLength(name);
  if (name === pipeline.name) return pipeline;
  const updated_at = toDateTime(clock.now());
  return store.transact((tx) => updateRecord(tx, context, caller, pipelineEvents, { ...pipeline, name, updated_at }));
}

const nameLengthMax = 255;

function requireNameLength(name: string): void {
  const refuse = (problem: string) => invalid(`Failed to update pipeline - Name is too ${problem}`);
  if (name === "") throw refuse("short (minimum is 1 character)");
  if (exceedsLength(name, nameLengthMax)) throw refuse(`long (maximum is ${nameLengthMax} characters)`);
}

/** Cancels every job that is not over, those of child pipelines, too. Throws 403. */
export function cancelPipeline(
  context: Context,
  caller: SignedInCaller,
  pipeline: PipelineRecord,
  project: ProjectRecord,
): PipelineRecord {
  requireRefUpdater(context, caller, project, pipeline);
  return updateJobs(context, pipeline, (tx, jobs) => cancelJobs(tx, context, jobs));
}

/** Makes new jobs of those that failed or were canceled, the caller's own, and lets those after them wait for these. Throws 403. */
export function retryPipeline(
  context: Context,
  caller: SignedInCaller,
  pipeline: PipelineRecord,
  project: ProjectRecord,
): PipelineRecord {
  requireJobsEnabled(project);
  requireRefUpdater(context, caller, project, pipeline);
  const { user } = caller;
  return updateJobs(context, pipeline, (tx, jobs) => {
    for (const job of jobs) {
      const isRetried = job.external === undefined && (job.status === "failed" || job.status === "canceled");
      if (isRetried) replaceJob(tx, context, job, { user_id: user.id });
    }
    reopenSkipped(tx, context, pipeline.id);
  });
}

function removeCiJob(tx: Transaction, context: Context, id: number): void {
  const job = context.store.of(ciJobs).get(id);
  removeTrace(tx, context.store, id);
  removeArtifacts(tx, context.store, id);
  tx.remove(ciJobs, id);
  if (job !== undefined) releaseResource(tx, context, job);
}

/** `DELETE …/pipelines/:pipeline_id`, with its jobs. Throws 412. */
export function deletePipeline(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  pipeline: PipelineRecord,
  unmodifiedSince: DateTime | undefined,
): void {
  requireUnmodified(pipeline, unmodifiedSince);
  const { store } = context;
  store.transact((tx) => {
    for (const id of [...store.of(ciJobs).by.pipeline_id.find(pipeline.id)]) removeCiJob(tx, context, id);
    removeRecord(tx, context, caller, pipelineEvents, pipeline.id);
    releaseBridge(tx, context, pipeline);
    const path = projectPathOf(store, project);
    recordAuditEvent(tx, context, caller, {
      event: "destroy_pipeline",
      entity: { type: "Project", id: project.id, path },
      target: { type: "Ci::Pipeline", id: pipeline.id, details: String(pipeline.id) },
      act: { custom_message: "Deleted pipeline" },
    });
  });
}

export const pipelineRemoval = projectRemoval({
  phase: 7,
  remove(tx, context, project, limit) {
    const { store } = context;
    const jobs = [...store.of(ciJobs).by.project_id.find(project.id)].slice(0, limit);
    for (const id of jobs) removeCiJob(tx, context, id);
    const rest = [...store.of(pipelines).by.project_id.find(project.id)].slice(0, limit - jobs.length);
    for (const id of rest) {
      const pipeline = store.of(pipelines).get(id) as PipelineRecord;
      tx.remove(pipelines, id);
      releaseBridge(tx, context, pipeline);
    }
    return jobs.length + rest.length;
  },
});

function updateJobs(
  context: Context,
  pipeline: PipelineRecord,
  change: (tx: Transaction, jobs: readonly CiJobRecord[]) => void,
): PipelineRecord {
  const { store } = context;
  return store.transact((tx) => {
    change(tx, listCurrentJobs(store, pipeline.id));
    advancePipeline(tx, context, pipeline.id);
    return store.of(pipelines).get(pipeline.id) as PipelineRecord;
  });
}
