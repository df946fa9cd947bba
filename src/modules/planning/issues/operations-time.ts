import { operationsOnTimeOf } from "../time-tracking/index.ts";
import { writeIssue } from "./changes/service-write.ts";
import { requirePlanner } from "./policy.ts";
import type { IssueRecord } from "./records.ts";
import { IssueInPath } from "./schema-parameters.ts";
import { getReadableIssue } from "./service-find.ts";

/** issues-labels-milestones-epics 1.2, "time tracking". */
export const timeOperations = operationsOnTimeOf<IssueRecord>({
  noun: "an issue",
  path: "/projects/:id/issues/:issue_iid",
  inPath: IssueInPath.properties,
  get: (context, caller, project, params) =>
    getReadableIssue(context, caller, project, (params as { readonly issue_iid: number }).issue_iid),
  requireTracker: requirePlanner,
  write: writeIssue,
});
