import type { Context } from "../../kernel/context.ts";
import { countAuthoredIssues } from "../../planning/issues/index.ts";
import { countAuthoredMergeRequests } from "../../planning/readable-merge-requests/index.ts";

/** Counts the issues and merge requests of a user. */
export function authoredCounts(
  context: Context,
  userId: number,
): { readonly issues_count: number; readonly merge_requests_count: number } {
  return {
    issues_count: countAuthoredIssues(context, userId),
    merge_requests_count: countAuthoredMergeRequests(context, userId),
  };
}
