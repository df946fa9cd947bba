import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller, CallerUser } from "../../../domain/caller.ts";
import { forbidden } from "../../../domain/failure.ts";
import { canReadCode, canSeeFeature, levelIn } from "../../core/access/index.ts";
import { type ProjectRecord, projectSettingOf } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { canCreateTag } from "../../repositories/protected-tags/index.ts";

/** Whether a user who sees the project also sees its releases (releases 1). */
export function canSeeReleases(context: Context, user: CallerUser | undefined, project: ProjectRecord): boolean {
  if (projectSettingOf(project, "repository_access_level") === "disabled") return false;
  return canSeeFeature(context, user, project, "releases");
}

/** Throws 403. */
export function requireReleaseReader(context: Context, { user }: Caller, project: ProjectRecord): void {
  if (!canSeeReleases(context, user, project)) throw forbidden();
}

/** One release tells of the code. Throws 403. */
export function requireCodeReader(context: Context, caller: Caller, project: ProjectRecord): void {
  requireReleaseReader(context, caller, project);
  if (!canReadCode(context, caller.user, project)) throw forbidden();
}

/** Whether a caller may change the releases of a project, apart from protected tags. */
export function canWriteReleases(context: Context, caller: Caller, project: ProjectRecord): boolean {
  const isDeveloper = levelIn(context, caller, { project }) >= accessLevels.developer;
  return isDeveloper && !project.archived && canSeeReleases(context, caller.user, project);
}

/** Whether a caller may change the release of a tag: that takes the right to make the tag. */
export function canWriteRelease(context: Context, caller: Caller, project: ProjectRecord, tag: string): boolean {
  const { user } = caller;
  if (user === undefined || !canWriteReleases(context, caller, project)) return false;
  return canCreateTag(context, user, project, tag);
}

/** Throws 403. */
export function requireReleaseWriter(context: Context, caller: Caller, project: ProjectRecord, tag: string): void {
  if (!canWriteRelease(context, caller, project, tag)) throw forbidden();
}
