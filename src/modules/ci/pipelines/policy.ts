import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller, CallerUser, SignedInCaller } from "../../../domain/caller.ts";
import { forbidden } from "../../../domain/failure.ts";
import { Access, canSeeFeature } from "../../core/access/index.ts";
import { type ProjectRecord, projectSettingOf, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { canPushOrMerge, isProtectedBranch, willProtectBranch } from "../../repositories/protected-branches/index.ts";
import { canCreateTag, isProtectedTag } from "../../repositories/protected-tags/index.ts";
import type { PipelineRecord } from "./records.ts";

/**
 * Whether a user who sees the project sees its pipelines: all with `public_jobs`, else reporters (3, "Reading"). Pipelines show
 * commits, so those from whom the access level of the repository hides it see no pipelines either.
 */
export function canReadBuilds(context: Context, user: CallerUser | undefined, project: ProjectRecord): boolean {
  if (!(["builds", "repository"] as const).every((each) => canSeeFeature(context, user, project, each))) return false;
  if (projectSettingOf(project, "public_jobs")) return true;
  return context.get(Access).levelInProject(user, project) >= accessLevels.reporter;
}

/** Whether a user sees a pipeline that another project refers to. */
export function canReadPipeline(
  context: Context,
  user: CallerUser | undefined,
  { project_id }: PipelineRecord,
): boolean {
  const project = context.store.of(projects).get(project_id);
  return (
    project !== undefined && context.get(Access).canSeeProject(user, project) && canReadBuilds(context, user, project)
  );
}

/** Throws 403 for those who see the project but not its pipelines. */
export function requireBuildReader(context: Context, { user }: Caller, project: ProjectRecord): void {
  if (!canReadBuilds(context, user, project)) throw forbidden();
}

/** Whether anything runs in a project: not when pipelines are switched off, nor once it is archived. */
export function hasJobsEnabled(project: ProjectRecord): boolean {
  return projectSettingOf(project, "builds_access_level") !== "disabled" && !project.archived;
}

/** Throws 403 for what would let a job run where none does. */
export function requireJobsEnabled(project: ProjectRecord): void {
  if (!hasJobsEnabled(project)) throw forbidden();
}

/** Whether a user may set variables of a pipeline or a job (triggers-and-pipelines 2). */
export function canSetVariables(context: Context, user: CallerUser, project: ProjectRecord): boolean {
  const role = projectSettingOf(project, "ci_pipeline_variables_minimum_override_role");
  return role !== "no_one_allowed" && context.get(Access).levelInProject(user, project) >= accessLevels[role];
}

/** A branch or tag by its name without a prefix. */
export type RefName = Pick<PipelineRecord, "ref" | "tag">;

/**
 * True when a rule protects the ref now, or will as soon as the push under way has made it the default branch of `project`
 * (protected-refs 7).
 */
export function isProtectedRef(context: Context, project: ProjectRecord, { ref, tag }: RefName): boolean {
  if (tag) return isProtectedTag(context, project, ref);
  return isProtectedBranch(context, project, ref) || willProtectBranch(context, project, ref);
}

/** True when the user may push to the branch or merge into it, or may create the tag. */
export function canUpdateRef(
  context: Context,
  user: CallerUser,
  project: ProjectRecord,
  { ref, tag }: RefName,
): boolean {
  return tag ? canCreateTag(context, user, project, ref) : canPushOrMerge(context, user, project, ref);
}

/** Throws 403 for those who may not update the ref of a pipeline: they change neither the pipeline nor its jobs. */
export function requireRefUpdater(
  context: Context,
  { user }: SignedInCaller,
  project: ProjectRecord,
  pipeline: RefName,
): void {
  if (!canUpdateRef(context, user, project, pipeline)) throw forbidden();
}
