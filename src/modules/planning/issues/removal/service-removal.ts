import { accessLevels } from "../../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../../domain/caller.ts";
import { forbidden, requireUnmodified } from "../../../../domain/failure.ts";
import type { DateTime } from "../../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../../store/index.ts";
import { Access, requireUnarchived } from "../../../core/access/index.ts";
import { removeAllDependents, removeDependents } from "../../../core/dependents/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { publish } from "../../../kernel/event.ts";
import { firstOf } from "../../../kernel/removal.ts";
import { plannerLevel } from "../../readable-issues/index.ts";
import { removeEpicLink } from "../changes/service-epic-links.ts";
import { issueEvents } from "../events.ts";
import { type IssueRecord, issues } from "../records.ts";
import { issueRef } from "../service-subscriptions.ts";

/** `DELETE …/:issue_iid` (1.2): owners, planners and administrators. Throws 403, 412. */
export function deleteIssue(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  issue: IssueRecord,
  unmodifiedSince: DateTime | undefined,
): void {
  const { store } = context;
  requireUnarchived({ project });
  const level = context.get(Access).levelInProject(caller.user, project);
  if (level !== plannerLevel && level < accessLevels.owner) throw forbidden();
  requireUnmodified(issue, unmodifiedSince);
  store.transact((tx) => {
    removeAllDependents(tx, context, issueRef(issue));
    removeEpicLink(tx, store, issue);
    tx.remove(issues, issue.id);
    publish(tx, context, issueEvents.deleted, { caller, before: issue, after: undefined });
  });
}

/**
 * Takes issues out of the store with their notes, reactions, subscriptions, and their places in epics: at most `limit`
 * documents. Returns how many; fewer than `limit` are the last ones.
 */
export function removeIssues(tx: Transaction, store: Store, ids: Iterable<number>, limit: number): number {
  let removed = 0;
  for (const id of firstOf(ids, limit)) {
    const issue = store.of(issues).get(id) as IssueRecord;
    removed += removeDependents(tx, store, issueRef(issue), limit - removed);
    if (removed >= limit) return removed;
    removeEpicLink(tx, store, issue);
    tx.remove(issues, id);
    removed += 1;
  }
  return removed;
}
