import type { Transaction } from "../../store/index.ts";
import type { SourceRef } from "../access/index.ts";
import type { Context } from "../context.ts";
import { projects, selfAndDescendants } from "../namespaces/index.ts";
import { type IssueRecord, issues, subscriptions } from "../tracker/index.ts";
import type { RemovedUser, UserRemoval } from "../user-removal.ts";
import { removeIssue } from "./removal.ts";

/**
 * users-and-auth 9: issues of a user become the ghost's or go; assignments, subscriptions, and who closed what are
 * forgotten.
 */
export const issuesGoWithUser: UserRemoval = {
  remove(tx: Transaction, { store }: Context, { user, isHard, ghost }: RemovedUser) {
    const documents = store.of(issues);
    const each = (ids: Iterable<number>) =>
      [...ids].map((id) => documents.get(id)).filter((issue) => issue !== undefined);
    for (const issue of each(documents.by.author_id.find(user.id))) {
      if (isHard) removeIssue(tx, store, issue);
      else tx.update(issues, { ...issue, author_id: ghost().id });
    }
    for (const issue of each(documents.by.assignee_id.find(user.id))) {
      unassign(tx, issue, user.id);
    }
    for (const issue of each(documents.by.closed_by_id.find(user.id))) {
      tx.update(issues, { ...issue, closed_by_id: isHard ? null : ghost().id });
    }
    for (const id of [...store.of(subscriptions).by.user_id.find(user.id)]) tx.remove(subscriptions, id);
  },
};

/** Takes a user off the issues of a project, or of all projects below a group (members-and-access 4.5). */
export function unassignIssues(tx: Transaction, { store }: Context, userId: number, { type, id }: SourceRef): void {
  const groupIds = type === "group" ? new Set(selfAndDescendants(store, id)) : undefined;
  for (const issueId of [...store.of(issues).by.assignee_id.find(userId)]) {
    const issue = store.of(issues).get(issueId);
    const project = issue && store.of(projects).get(issue.project_id);
    if (issue === undefined || project === undefined) continue;
    const isBelow = groupIds === undefined ? project.id === id : groupIds.has(project.namespace_id);
    if (isBelow) unassign(tx, issue, userId);
  }
}

function unassign(tx: Transaction, issue: IssueRecord, userId: number): void {
  tx.update(issues, { ...issue, assignee_ids: issue.assignee_ids.filter((id) => id !== userId) });
}
