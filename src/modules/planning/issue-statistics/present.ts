import type { Static } from "@sinclair/typebox";
import type { IssueStatistics } from "./schema.ts";
import type { IssueCounts } from "./service.ts";

/** Seed 2.2. */
export function presentIssueStatistics({ all, closed }: IssueCounts): Static<typeof IssueStatistics> {
  return { statistics: { counts: { all, closed, opened: all - closed } } };
}
