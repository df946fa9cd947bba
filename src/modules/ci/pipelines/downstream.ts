/** The pipeline that a job with `trigger:` creates. */

import { accessLevels } from "../../../domain/access-level.ts";
import type { CallerUser } from "../../../domain/caller.ts";
import { Failure } from "../../../domain/failure.ts";
import type { Store } from "../../../store/index.ts";
import { Access } from "../../core/access/index.ts";
import { findProjectByPath } from "../../core/namespaces/index.ts";
import { findUser, WriteQuota } from "../../core/users/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { placeOf } from "../../repositories/repositories/index.ts";
import { CiFileError, childFile, expandVariables } from "../ci-config/index.ts";
import { planInTurn } from "./creation/plan-queue.ts";
import {
  hasJobs,
  type PipelineRequest,
  type PlannedPipeline,
  planOutcome,
  planPipeline,
} from "./creation/service-create.ts";
import { dotenvOf, forwardedVariables } from "./forwarded-variables.ts";
import { baseUrlOf, knownVariablesOf } from "./job-variables.ts";
import { hasJobsEnabled } from "./policy.ts";
import { type PipelineRecord, pipelines } from "./records.ts";
import { type CiJobRecord, ciJobs } from "./records-jobs.ts";

/** The pipeline that a `trigger:` job is to create; `parent` and the text of the CI file are of a child pipeline. */
export interface Downstream {
  readonly request: PipelineRequest;
  readonly child?: { readonly parent: PipelineRecord; readonly text: string };
}

/** Generations of child pipelines below the first pipeline. */
const childGenerationsMax = 2;
const hierarchyMax = 1000;
/** The jobs of a first pipeline and of all pipelines below it. */
const hierarchyJobsMax = 50_000;
/** A chain may come by the same project, ref and source once more, and no oftener. */
const visitsMax = 2;

/** The pipeline that a job may create now, or the `failure_reason` of the job. */
export function downstreamOf(context: Context, job: CiJobRecord): Downstream | string {
  try {
    return wantedBy(context, job);
  } catch (error) {
    if (error instanceof CiFileError) return creationFailed;
    throw error;
  }
}

function wantedBy(context: Context, job: CiJobRecord): Downstream | string {
  const { store } = context;
  const access = context.get(Access);
  const pipeline = store.of(pipelines).get(job.pipeline_id);
  const project = store.of(projects).get(job.project_id);
  const user = findUser(store, job.user_id);
  const { trigger } = job;
  if (pipeline === undefined || project === undefined || user === undefined) return creationFailed;
  if (access.isBeingDeleted({ project })) return creationFailed;
  if (trigger === undefined || (trigger.project === null && trigger.include === null)) return creationFailed;
  if (user.state !== "active") return "user_blocked";
  if (context.get(WriteQuota).isUsedUp(user)) return "ci_quota_exceeded";
  const place = { job, pipeline, project, user };
  const dotenv = dotenvOf(context, job);
  const known = knownVariablesOf(context, place, "pipeline", { dotenv });
  const target = trigger.project === null ? project : findProjectByPath(store, expandVariables(trigger.project, known));
  if (target === undefined || !access.canSeeProject(user, target)) return "downstream_bridge_project_not_found";
  const isChild = trigger.project === null;
  if (!isChild && target.id === project.id) return "invalid_bridge_trigger";
  const upstreams = upstreamsOf(store, pipeline);
  if (isChild && generationsOf(upstreams) > childGenerationsMax) return "reached_max_descendant_pipelines_depth";
  if (isHierarchyFull(store, pipeline.root_pipeline_id ?? pipeline.id)) return "reached_max_pipeline_hierarchy_size";
  if (![project, target].every((each) => canCreatePipeline(context, user, each)))
    return "insufficient_bridge_permissions";
  if (!isChild && isLoop(upstreams)) return "pipeline_loop_detected";
  const given = forwardedVariables(context, place, trigger, dotenv);
  const baseUrl = baseUrlOf(context);
  if (isChild) {
    const request = {
      project,
      user,
      ref: pipeline.ref,
      source: "parent_pipeline",
      variables: [],
      addedVariables: given,
    } as const;
    const child = { parent: pipeline, text: childFile(trigger, known) };
    return { request: { ...request, ciFilePath: "", upstreamJobId: job.id, baseUrl }, child };
  }
  const ref = trigger.branch === null ? (target.default_branch ?? "") : expandVariables(trigger.branch, known);
  const request = { project: target, user, ref, source: "pipeline", variables: given } as const;
  const inputs = trigger.inputs ?? {};
  return { request: { ...request, inputs, upstreamJobId: job.id, baseUrl } };
}

/** The failure reason where no other one is known. */
export const creationFailed = "downstream_pipeline_creation_failed";

/** Reads the CI file of what a job makes; undefined: nothing can be made of it. */
export async function planDownstream(
  context: Context,
  { request, child }: Downstream,
): Promise<PlannedPipeline | undefined> {
  try {
    if (child === undefined) return await planPipeline(context, request);
    return await planInTurn(context, request.user, () => planChild(context, request, child));
  } catch (error) {
    if (error instanceof Failure && error.kind === "invalid") return undefined;
    throw error;
  }
}

/** Plans a child pipeline: the commit of its parent, CI files of its own. */
function planChild(
  context: Context,
  request: PipelineRequest,
  { parent, text }: NonNullable<Downstream["child"]>,
): Promise<PlannedPipeline | undefined> {
  return context.repositories.read(placeOf(request.project), async (repository) => {
    const found = { name: parent.ref, tag: parent.tag, commit: parent.commit };
    const outcome = await planOutcome(context, request, repository, found, parent.before_sha, text);
    return hasJobs(outcome) ? { request, found, beforeSha: parent.before_sha, outcome } : undefined;
  });
}

function canCreatePipeline(context: Context, user: CallerUser, project: ProjectRecord): boolean {
  return hasJobsEnabled(project) && context.get(Access).levelInProject(user, project) >= accessLevels.developer;
}

function isHierarchyFull(store: Store, rootId: number): boolean {
  const others = store.of(pipelines).by.root_pipeline_id.find(rootId);
  if (others.size + 1 >= hierarchyMax) return true;
  const jobsOf = store.of(ciJobs).by.pipeline_id;
  let jobs = jobsOf.find(rootId).size;
  for (const id of others) jobs += jobsOf.find(id).size;
  return jobs >= hierarchyJobsMax;
}

/** A pipeline and those that it came of, nearest first; no more than there may be in a hierarchy. */
function upstreamsOf(store: Store, pipeline: PipelineRecord): PipelineRecord[] {
  const all = [pipeline];
  for (
    let at: PipelineRecord | undefined = pipeline;
    at?.upstream_job_id !== undefined && all.length < hierarchyMax;
  ) {
    at = store.of(pipelines).get(store.of(ciJobs).get(at.upstream_job_id)?.pipeline_id ?? 0);
    if (at !== undefined) all.push(at);
  }
  return all;
}

/** A pipeline, its parent, the parent of that: up to the first one without a parent. */
function generationsOf(upstreams: readonly PipelineRecord[]): number {
  const first = upstreams.findIndex(({ source }) => source !== "parent_pipeline");
  return first === -1 ? upstreams.length : first + 1;
}

function isLoop(upstreams: readonly PipelineRecord[]): boolean {
  const visits = new Map<string, number>();
  for (const { project_id, ref, source } of upstreams) {
    if (source === "parent_pipeline") continue;
    const place = `${project_id} ${source} ${ref}`;
    visits.set(place, (visits.get(place) ?? 0) + 1);
  }
  return [...visits.values()].some((count) => count > visitsMax);
}
