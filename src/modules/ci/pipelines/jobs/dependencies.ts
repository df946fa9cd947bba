/** A job gets the artifacts and variables of other jobs: its dependencies. */

import { includesTier } from "../../../../domain/edition.ts";
import type { Store } from "../../../../store/index.ts";
import { Access, isJobTokenAllowed } from "../../../core/access/index.ts";
import { findProjectByPath } from "../../../core/namespaces/index.ts";
import { findUser } from "../../../core/users/index.ts";
import { type ProjectRecord, projects } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { CiFileError, ExpansionBudget, expandVariables, type Variables } from "../../ci-config/index.ts";
import type { OutsideNeed } from "../../ci-config/records.ts";
import { canReadArtifacts } from "../../job-artifacts/index.ts";
import { knownVariablesOf } from "../job-variables.ts";
import { canReadBuilds } from "../policy.ts";
import { type PipelineRecord, pipelines } from "../records.ts";
import { type CiJobRecord, ciJobs, nameKeyOf } from "../records-jobs.ts";
import { listCurrentJobs } from "../service-progress.ts";

export interface Dependencies {
  /** Jobs of the same pipeline, and jobs of other pipelines that `needs` names. */
  readonly jobs: readonly CiJobRecord[];
  /** False when `needs` names a job of another pipeline that has not succeeded, or that the user may not read. */
  readonly isComplete: boolean;
}

export function findDependencies(context: Context, job: CiJobRecord): Dependencies {
  const outside = outsideDependencies(context, job);
  const found = [...localDependencies(context.store, job), ...outside.found];
  const jobs = [...new Map(found.map((each) => [each.id, each])).values()];
  return { jobs, isComplete: outside.isComplete };
}

export function listDependencies(context: Context, job: CiJobRecord): readonly CiJobRecord[] {
  return findDependencies(context, job).jobs;
}

/** `dependencies` names the jobs; else `needs` does, where it asks for artifacts; else all jobs of earlier stages count. */
function localDependencies(store: Store, job: CiJobRecord): CiJobRecord[] {
  const given = job.config.dependencies ?? job.needs ?? undefined;
  const named = given && new Set(given);
  return listCurrentJobs(store, job.pipeline_id).filter(
    ({ name, stage_idx, is_bridge }) =>
      !is_bridge && (named === undefined ? stage_idx < job.stage_idx : named.has(name)),
  );
}

function outsideDependencies(
  context: Context,
  job: CiJobRecord,
): { readonly found: readonly CiJobRecord[]; readonly isComplete: boolean } {
  const { outside_needs: needs = [] } = job.config;
  if (needs.length === 0) return { found: [], isComplete: true };
  const { store } = context;
  const pipeline = store.of(pipelines).get(job.pipeline_id);
  const project = store.of(projects).get(job.project_id);
  if (pipeline === undefined || project === undefined) return { found: [], isComplete: false };
  const known = knownVariablesOf(context, { job, pipeline, project, user: findUser(store, job.user_id) }, "pipeline");
  const each = needs.map((need) => findNeeded(context, job, pipeline, need, known));
  const found = each.filter((needed) => needed !== undefined);
  return { found, isComplete: found.length === needs.length };
}

function findNeeded(
  context: Context,
  job: CiJobRecord,
  pipeline: PipelineRecord,
  need: OutsideNeed,
  known: Variables,
): CiJobRecord | undefined {
  try {
    const room = new ExpansionBudget();
    const name = expandVariables(need.job, known, room);
    if (need.pipeline !== null) {
      const id = Number.parseInt(expandVariables(need.pipeline, known, room), 10);
      return findInFamily(context.store, pipeline, id, name);
    }
    const [path, ref] = [need.project, need.ref].map((text) => expandVariables(text ?? "", known, room));
    return findElsewhere(context, job, path ?? "", ref ?? "", name);
  } catch (error) {
    if (error instanceof CiFileError) return undefined;
    throw error;
  }
}

/** A job of another pipeline of the same parents and children. */
function findInFamily(store: Store, own: PipelineRecord, id: number, name: string): CiJobRecord | undefined {
  const other = store.of(pipelines).get(id);
  if (other === undefined || id === own.id || eldestOf(store, other).id !== eldestOf(store, own).id) return undefined;
  return listCurrentJobs(store, id).find((job) => job.name === name && job.status === "success" && !job.is_bridge);
}

/** The pipeline that a child pipeline came of, directly or not. */
function eldestOf(store: Store, pipeline: PipelineRecord): PipelineRecord {
  let eldest = pipeline;
  while (eldest.source === "parent_pipeline" && eldest.upstream_job_id !== undefined) {
    const parent = store.of(pipelines).get(store.of(ciJobs).get(eldest.upstream_job_id)?.pipeline_id ?? 0);
    if (parent === undefined) break;
    eldest = parent;
  }
  return eldest;
}

/** The newest job of a name that succeeded for a ref of a project, if the job's user may read its artifacts. */
function findElsewhere(
  context: Context,
  job: CiJobRecord,
  path: string,
  ref: string,
  name: string,
): CiJobRecord | undefined {
  const { store, edition } = context;
  const project = includesTier(edition, "premium") ? findProjectByPath(store, path) : undefined;
  if (project === undefined || !canReadJobs(context, job, project)) return undefined;
  const where = [{ index: "succeeded", key: nameKeyOf({ project_id: project.id, name }) }] as const;
  const page = { kind: "keyset", after: undefined, perPage: 1 } as const;
  const matches = (each: CiJobRecord) => store.of(pipelines).get(each.pipeline_id)?.ref === ref;
  const [found] = store.page(ciJobs, { where, order: "id", descending: true, page, matches }).items;
  const user = findUser(store, job.user_id);
  return found !== undefined && canReadArtifacts(context, user, project, found.id) ? found : undefined;
}

/** True when the user of the job may read jobs of the project, and the project accepts job tokens of the job. */
function canReadJobs(context: Context, job: CiJobRecord, project: ProjectRecord): boolean {
  const user = findUser(context.store, job.user_id);
  return (
    user !== undefined &&
    context.get(Access).canSeeProject(user, project) &&
    canReadBuilds(context, user, project) &&
    isJobTokenAllowed(context.store, project, job.project_id, { asksFor: "builds", isReading: true })
  );
}
