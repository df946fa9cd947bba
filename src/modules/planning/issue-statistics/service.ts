import type { SignedInCaller } from "../../../domain/caller.ts";
import type { Context } from "../../kernel/context.ts";
import { type IssueFilters, type IssueScope, issueConditions } from "../issues/index.ts";
import { issues } from "../issues/records.ts";

export interface IssueCounts {
  readonly all: number;
  readonly closed: number;
}

/**
 * Counts the issues of a scope that the caller may read and that pass the filters (issue-statistics, "What is
 * counted").
 */
export function countIssues(
  context: Context,
  caller: SignedInCaller,
  filters: IssueFilters,
  scope: IssueScope,
): IssueCounts {
  const where = issueConditions(context, caller, filters, scope);
  const { all, part } = context.store.countWithPart(issues, where, { index: "state", key: "closed" });
  return { all, closed: part };
}
