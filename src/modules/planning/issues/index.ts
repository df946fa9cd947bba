import { defineModule } from "../../kernel/module.ts";
import { issueChanged } from "./events.ts";
import { MilestoneTimes } from "./filters/index.ts";
import { listOperations } from "./list-operations.ts";
import { milestoneIssueOperations } from "./milestone-operations.ts";
import { singleOperations } from "./operations.ts";
import { ReadableIssues } from "./readable/index.ts";
import { issueRemoval } from "./removal/project-removal.ts";
import { issueUnassignment, issueUnassignments } from "./removal/unassignment.ts";
import { issuesDeletedWithUser } from "./removal/user-removal.ts";
import { sideOperations } from "./subscription-operations.ts";
import { timeOperations } from "./time/time-operations.ts";

export { emptyIssue, iidSequence, insertIssue } from "./changes/create.ts";
export { closeIssue } from "./changes/update.ts";
export { countAssignedIssues, countAuthoredIssues, countOpenIssues } from "./counts.ts";
export { type IssueChange, type IssueEvent, issueChanged } from "./events.ts";
export {
  type IssueFilters,
  type IssueScope,
  issueConditions,
  issueFilterParameters,
  issueFilterRules,
  noneOrAny,
  searchWords,
} from "./filters/index.ts";
export { getReadableIssue, getReadableIssueById } from "./find.ts";
export { presentIssue, presentLabels, presentListedIssue } from "./present.ts";
export { ReadableIssueSets, ReadableIssues } from "./readable/index.ts";
export { unassignIssues } from "./removal/unassignment.ts";
export { canReadInternalNotes, hasIssuesPossible, requireIssueCreator, requirePlanner } from "./rights.ts";
export { Issue, ListedIssue } from "./schema.ts";
export { participantsOf } from "./subscriptions.ts";

export const issuesModule = defineModule({
  name: "issues",
  tag: "Issues",
  operations: [...listOperations, ...singleOperations, ...sideOperations, ...timeOperations],
  services: [ReadableIssues, MilestoneTimes],
  jobs: [issueUnassignment],
  events: [issueChanged],
  on: [issueRemoval, issuesDeletedWithUser, issueUnassignments],
});

/** A part of its own, because the API reference has it after the milestones. */
export const milestoneIssuesModule = defineModule({
  name: "milestone-issues",
  tag: "Milestones",
  operations: milestoneIssueOperations,
});
