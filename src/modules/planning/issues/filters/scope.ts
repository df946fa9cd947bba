/** The issues that a list is about, and that its caller may read. */

import type { CallerUser } from "../../../../domain/caller.ts";
import type { Condition } from "../../../../store/index.ts";
import { Access } from "../../../core/access/index.ts";
import { isUnrestricted } from "../../../core/readable-sets/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { type IssuableScope, matchNone } from "../../issuables/records.ts";
import { canSeeIssuesOf, plannerLevel, ReadableIssues } from "../../readable-issues/index.ts";
import { issues } from "../records.ts";

export type IssueCondition = Condition<typeof issues.indexes>;

export type IssueScope = IssuableScope;

/** The issues of a scope that a user may read (issue-statistics, "What is counted"). */
export function readableConditions(
  context: Context,
  user: CallerUser | undefined,
  scope: IssueScope,
): IssueCondition[] {
  const readableIssues = context.get(ReadableIssues);
  if (scope === "everywhere") return [{ ids: readableIssues.of(user) }];
  if ("group" in scope) return [{ ids: readableIssues.of(user) }, { ids: readableIssues.inGroup(scope.group.id) }];
  return readableInProject(context, user, scope.project);
}

/** Returns the conditions for one project, without the cost of the user's rights elsewhere. */
function readableInProject(context: Context, user: CallerUser | undefined, project: ProjectRecord): IssueCondition[] {
  const access = context.get(Access);
  if (!canSeeIssuesOf(access, user, project)) return [matchNone];
  const where: IssueCondition[] = [{ index: "project_id", key: project.id }];
  if (user?.is_admin !== true) where.push({ not: { ids: context.get(ReadableIssues).withTrait("banned") } });
  if (isUnrestricted(user) || access.levelInProject(user, project) >= plannerLevel) return where;
  const documents = context.store.of(issues);
  const hidden = [...documents.by.confidential.find(project.id)].filter((id) => {
    const issue = documents.get(id);
    return user === undefined || (issue?.author_id !== user.id && !issue?.assignee_ids.includes(user.id));
  });
  return [...where, { not: { ids: hidden } }];
}
