import { accessLevels } from "../../../domain/access-level.ts";
import type { CallerUser } from "../../../domain/caller.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import {
  type ProjectFeature,
  type ProjectRecord,
  projectSettingOf,
} from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { Access } from "./service.ts";
import type { Source } from "./service-source.ts";

/** The level from which members of a private project see its code (members-and-access 4.7). */
const codeLevel = accessLevels.reporter;

/**
 * Whether a user may read what is in a group: its labels, milestones, epics and members. Those who see a private group for
 * something below it alone, or have minimal access, see its name (members-and-access 4.7).
 */
export function canReadGroup(context: Context, user: CallerUser | undefined, group: GroupRecord): boolean {
  const access = context.get(Access);
  if (!access.canSeeGroup(user, group)) return false;
  if (group.visibility === "public" || (group.visibility === "internal" && user?.external === false)) return true;
  return (
    user?.is_admin === true || user?.is_auditor === true || access.levelInGroup(user, group.id) >= accessLevels.guest
  );
}

/** Whether a user who sees the project also sees a part of it: `disabled` hides it, `private` shows it to members only. */
export function canSeeFeature(
  context: Context,
  user: CallerUser | undefined,
  project: ProjectRecord,
  feature: ProjectFeature,
): boolean {
  const setting = projectSettingOf(project, `${feature}_access_level`);
  if (setting === "disabled") return false;
  return setting !== "private" || context.get(Access).levelInProject(user, project) >= accessLevels.guest;
}

/** Whether a user may read the labels and milestones of a group or project: in a project they are part of its issues. */
export function canReadPlans(context: Context, user: CallerUser | undefined, source: Source): boolean {
  if ("group" in source) return canReadGroup(context, user, source.group);
  return (["issues", "merge_requests"] as const).some((each) => canSeeFeature(context, user, source.project, each));
}

/** Whether a user who sees the project also sees its code. */
export function canReadCode(context: Context, user: CallerUser | undefined, project: ProjectRecord): boolean {
  if (!canSeeFeature(context, user, project, "repository")) return false;
  const isOpen = project.visibility !== "private" && projectSettingOf(project, "repository_access_level") !== "private";
  return isOpen || context.get(Access).levelInProject(user, project) >= codeLevel;
}
