import { accessLevels } from "../../../domain/access-level.ts";
import type { CallerUser, SignedInCaller } from "../../../domain/caller.ts";
import { forbidden } from "../../../domain/failure.ts";
import { branchPrefix, tagPrefix } from "../../../git/index.ts";
import { Access } from "../../core/access/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { canReadBuilds, canSetVariables, type RefName, requireRefUpdater } from "../pipelines/index.ts";
import type { PipelineScheduleRecord } from "./records.ts";

/** Reporters and above; on a project that is not private, everybody who sees its pipelines. */
export function canReadSchedules(context: Context, user: CallerUser, project: ProjectRecord): boolean {
  if (!canReadBuilds(context, user, project)) return false;
  return project.visibility !== "private" || levelOf(context, user, project) >= accessLevels.reporter;
}

/** True for the owner, maintainers and administrators. */
export function canReadVariables(
  context: Context,
  user: CallerUser,
  project: ProjectRecord,
  { owner_id }: PipelineScheduleRecord,
): boolean {
  return owner_id === user.id || levelOf(context, user, project) >= accessLevels.maintainer;
}

/** Throws 403 for all but the owner while they are a developer, and administrators. */
export function requireScheduleUpdater(
  context: Context,
  { user }: SignedInCaller,
  project: ProjectRecord,
  { owner_id }: PipelineScheduleRecord,
): void {
  const isOwner = owner_id === user.id && levelOf(context, user, project) >= accessLevels.developer;
  if (project.archived || !(isOwner || user.is_admin)) throw forbidden();
}

/** Throws 403 for those who may not update the ref of a schedule, or set variables of pipelines in the project. */
export function requireVariableSetter(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  schedule: PipelineScheduleRecord,
): void {
  requireRefUpdater(context, caller, project, refNameOf(schedule));
  if (!canSetVariables(context, caller.user, project)) throw forbidden();
}

/** The branch or tag of a schedule. */
export function refNameOf({ ref }: Pick<PipelineScheduleRecord, "ref">): RefName {
  const tag = ref.startsWith(tagPrefix);
  return { ref: ref.slice((tag ? tagPrefix : branchPrefix).length), tag };
}

/** Throws 403 for all but the owner, maintainers and administrators. */
export function requireScheduleRemover(
  context: Context,
  { user }: SignedInCaller,
  project: ProjectRecord,
  { owner_id }: PipelineScheduleRecord,
): void {
  const level = levelOf(context, user, project);
  const may = level >= accessLevels.maintainer || (owner_id === user.id && level >= accessLevels.developer);
  if (project.archived || !may) throw forbidden();
}

/** Throws 403 for the owner, and for all below maintainer. */
export function requireScheduleTaker(
  context: Context,
  { user }: SignedInCaller,
  project: ProjectRecord,
  { owner_id }: PipelineScheduleRecord,
): void {
  const may = user.is_admin || (owner_id !== user.id && levelOf(context, user, project) >= accessLevels.maintainer);
  if (project.archived || !may) throw forbidden();
}

function levelOf(context: Context, user: CallerUser, project: ProjectRecord): number {
  return context.get(Access).levelInProject(user, project);
}
