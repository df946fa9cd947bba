import { accessLevels } from "../../../domain/access-level.ts";
import type { CallerUser, SignedInCaller } from "../../../domain/caller.ts";
import { forbidden } from "../../../domain/failure.ts";
import { Access } from "../../core/access/index.ts";
import { type ProjectRecord, projectSettingOf } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { canSeeIssuesOf, plannerLevel } from "../readable-issues/index.ts";
import type { IssueRecord } from "./records.ts";

/** Throws 403 where no issues can be made: they are off, for members only, or the project is archived (1.2). */
export function requireIssueCreator(context: Context, caller: SignedInCaller, project: ProjectRecord): void {
  if (project.archived || !canSeeIssuesOf(context.get(Access), caller.user, project)) throw forbidden();
}

/** Whether the project can have new issues at all. */
export function canHaveIssues(project: ProjectRecord): boolean {
  return !project.archived && projectSettingOf(project, "issues_access_level") !== "disabled";
}

/** Throws 403 for callers who may read an issue but change nothing of it: planners and above, author and assignees may. */
export function requireUpdateRight(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  issue: IssueRecord,
): void {
  const { user } = caller;
  if (project.archived) throw forbidden();
  const isInvolved = issue.author_id === user.id || issue.assignee_ids.includes(user.id);
  if (!isInvolved && !canPlan(context, caller, project)) throw forbidden();
}

/** Throws 403 for all but planners and above, and in an archived project. */
export function requirePlanner(context: Context, caller: SignedInCaller, project: ProjectRecord): void {
  if (project.archived || !canPlan(context, caller, project)) throw forbidden();
}

/** Planner or reporter and above: they manage issues of others, and labels. */
export function canPlan(context: Context, { user }: SignedInCaller, project: ProjectRecord): boolean {
  return context.get(Access).levelInProject(user, project) >= plannerLevel;
}

/** Members may file a new issue; an existing one is filed by planners (1.4, "Metadata right"). */
export function canSetMetadataOfNewIssue(context: Context, { user }: SignedInCaller, project: ProjectRecord): boolean {
  return context.get(Access).levelInProject(user, project) >= accessLevels.guest;
}

/** Administrators and owners say when something happened, and what number an issue has. */
export function canSetHistory(context: Context, { user }: SignedInCaller, project: ProjectRecord): boolean {
  return context.get(Access).levelInProject(user, project) >= accessLevels.owner;
}

/** Planners and above, administrators and auditors read internal notes. */
export function canReadInternalNotes(context: Context, user: CallerUser | undefined, project: ProjectRecord): boolean {
  return user?.is_auditor === true || context.get(Access).levelInProject(user, project) >= plannerLevel;
}
