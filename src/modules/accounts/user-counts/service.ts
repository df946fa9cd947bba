import type { Static } from "@sinclair/typebox";
import type { SignedInCaller } from "../../../domain/caller.ts";
import type { Context } from "../../kernel/context.ts";
import { countAssignedIssues } from "../../planning/issues/index.ts";
import type { UserCounts } from "./schema.ts";

/** The numbers of items that wait for the caller. There are no merge requests, nor yet todos. */
export function countsOf(context: Context, caller: SignedInCaller): Static<typeof UserCounts> {
  return {
    merge_requests: 0,
    assigned_issues: countAssignedIssues(context, caller),
    assigned_merge_requests: 0,
    review_requested_merge_requests: 0,
    todos: 0,
  };
}
