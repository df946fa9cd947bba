import type { Context } from "../../kernel/context.ts";
import { countAuthoredIssues } from "../../planning/issues/index.ts";

/** Counts the issues of a user. There are never merge requests. */
export function authoredCounts(
  context: Context,
  userId: number,
): { readonly issues_count: number; readonly merge_requests_count: number } {
  return { issues_count: countAuthoredIssues(context, userId), merge_requests_count: 0 };
}
