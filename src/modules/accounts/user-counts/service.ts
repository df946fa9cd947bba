import type { Static } from "@sinclair/typebox";
import type { SignedInCaller } from "../../../domain/caller.ts";
import type { Context } from "../../kernel/context.ts";
import { countAssignedIssues } from "../../planning/issues/index.ts";
import { countWaitingMergeRequests } from "../../planning/readable-merge-requests/index.ts";
import type { UserCounts } from "./schema.ts";

/** The numbers of items that wait for the caller. There are no todos yet. */
export function countsOf(context: Context, caller: SignedInCaller): Static<typeof UserCounts> {
  const { assigned, toReview } = countWaitingMergeRequests(context, caller);
  return {
    merge_requests: assigned,
    assigned_issues: countAssignedIssues(context, caller),
    assigned_merge_requests: assigned,
    review_requested_merge_requests: toReview,
    todos: 0,
  };
}
