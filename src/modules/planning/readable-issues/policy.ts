import { accessLevels } from "../../../domain/access-level.ts";
import type { CallerUser } from "../../../domain/caller.ts";
import type { Store } from "../../../store/index.ts";
import type { AccessPolicy } from "../../core/access/index.ts";
import { isUnrestricted } from "../../core/readable-sets/index.ts";
import { users } from "../../core/users/records.ts";
import { type ProjectRecord, projectSettingOf, projects } from "../../groups-and-projects/projects/records.ts";
import type { IssueRecord } from "../issues/records.ts";

type User = CallerUser | undefined;

/** The level from which members read confidential issues and set labels, assignees, milestone and the like. */
export const plannerLevel = accessLevels.planner;

/** Whether there are issues in the project for this user: rules 1 and 2 of issue-statistics, "What is counted". */
export function canSeeIssuesOf(access: AccessPolicy, user: User, project: ProjectRecord): boolean {
  if (!access.canSeeProject(user, project)) return false;
  const level = projectSettingOf(project, "issues_access_level");
  if (level !== "private") return level === "enabled";
  return isUnrestricted(user) || isMember(access, user, project);
}

/** Whether the user may read an issue: all three rules, and only administrators may read those of banned authors. */
export function canReadIssue(store: Store, access: AccessPolicy, user: User, issue: IssueRecord): boolean {
  const project = store.of(projects).get(issue.project_id);
  if (project === undefined || !canSeeIssuesOf(access, user, project)) return false;
  if (user?.is_admin !== true && store.of(users).get(issue.author_id)?.state === "banned") return false;
  if (!issue.confidential || isUnrestricted(user)) return true;
  if (user === undefined) return false;
  if (issue.author_id === user.id || issue.assignee_ids.includes(user.id)) return true;
  return access.levelInProject(user, project) >= plannerLevel;
}

function isMember(access: AccessPolicy, user: User, project: ProjectRecord): boolean {
  return user !== undefined && access.memberLevelInProject(user.id, project) >= accessLevels.guest;
}
