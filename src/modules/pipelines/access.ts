import { accessLevels } from "../../domain/access-level.ts";
import type { Caller, CallerUser } from "../../domain/caller.ts";
import { forbidden } from "../../domain/failure.ts";
import { seesFeature } from "../access/index.ts";
import type { Context } from "../context.ts";
import { type ProjectRecord, projectSettingsOf, projects } from "../namespaces/index.ts";
import type { PipelineRecord } from "./collection.ts";

/** Whether somebody who sees the project sees its pipelines: with `public_jobs` everybody, else reporters (3, "Reading"). */
export function readsBuilds(context: Context, user: CallerUser | undefined, project: ProjectRecord): boolean {
  if (!seesFeature(context, user, project, "builds")) return false;
  if (projectSettingsOf(project).public_jobs) return true;
  return context.access.levelInProject(user, project) >= accessLevels.reporter;
}

/** Whether somebody sees a pipeline that something in another project speaks of. */
export function readsPipeline(context: Context, user: CallerUser | undefined, { project_id }: PipelineRecord): boolean {
  const project = context.store.of(projects).get(project_id);
  return project !== undefined && context.access.seesProject(user, project) && readsBuilds(context, user, project);
}

/** Throws 403 for those who see the project but not its pipelines. */
export function refuseReader(context: Context, { user }: Caller, project: ProjectRecord): void {
  if (!readsBuilds(context, user, project)) throw forbidden();
}
