import { accessLevels } from "../../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../../domain/caller.ts";
import { forbidden, requireUnmodified } from "../../../../domain/failure.ts";
import type { DateTime } from "../../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../../store/index.ts";
import { Access } from "../../../core/access/index.ts";
import type { ProjectRecord } from "../../../core/namespaces/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { type IssueRecord, issues, removeDependents, removeEpicLink } from "../../records/index.ts";
import { plannerLevel } from "../readable/index.ts";
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
  const level = context.get(Access).levelInProject(caller.user, project);
  if (level !== plannerLevel && level < accessLevels.owner) throw forbidden();
  requireUnmodified(issue, unmodifiedSince);
  store.transact((tx) => {
    caller.confirm?.();
    removeIssue(tx, store, issue);
  });
}

/** Takes an issue out of the store with its notes, reactions, subscriptions, and its place in an epic. */
export function removeIssue(tx: Transaction, store: Store, issue: IssueRecord): void {
  removeDependents(tx, store, issueRef(issue), Number.POSITIVE_INFINITY);
  removeEpicLink(tx, store, issue);
  tx.remove(issues, issue.id);
}
