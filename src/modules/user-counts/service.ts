import type { Static } from "@sinclair/typebox";
import type { Context } from "../context.ts";
import type { UserCounts } from "./schema.ts";

/** What waits for a user. There are no merge requests, nor yet issues and todos: each resource adds its figure here. */
export function countsOf(_context: Context, _userId: number): Static<typeof UserCounts> {
  return {
    merge_requests: 0,
    assigned_issues: 0,
    assigned_merge_requests: 0,
    review_requested_merge_requests: 0,
    todos: 0,
  };
}
