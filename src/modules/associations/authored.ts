import type { Context } from "../context.ts";

/** What a user has written. There are no issues yet, and never merge requests. */
export function authoredCounts(
  _context: Context,
  _userId: number,
): { readonly issues_count: number; readonly merge_requests_count: number } {
  return { issues_count: 0, merge_requests_count: 0 };
}
