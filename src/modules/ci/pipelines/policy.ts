import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller, CallerUser } from "../../../domain/caller.ts";
import { forbidden } from "../../../domain/failure.ts";
import { Access, canSeeFeature } from "../../core/access/index.ts";
import { type ProjectRecord, projectSettingOf, projectSettingsOf, projects } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
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
  const role = projectSettingsOf(project).ci_pipeline_variables_minimum_override_role;
  return role !== "no_one_allowed" && context.get(Access).levelInProject(user, project) >= accessLevels[role];
}
