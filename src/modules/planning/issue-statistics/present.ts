import type { IssueCounts } from "./service.ts";

/** Seed 2.2. */
export function presentIssueStatistics({ all, closed }: IssueCounts) {
  return { statistics: { counts: { all, closed, opened: all - closed } } };
}
