import { defineModule } from "../../kernel/module.ts";
import { listOperations } from "./list-operations.ts";
import { milestoneIssueOperations } from "./milestone-operations.ts";
import { singleOperations } from "./operations.ts";
import { issueUnassignment } from "./removal/unassignment.ts";
import { sideOperations } from "./subscription-operations.ts";
import { timeOperations } from "./time/time-operations.ts";

export { emptyIssue, fileIssue, iidSequence } from "./changes/create.ts";
export { closeIssue } from "./changes/update.ts";
export {
  type IssueFilters,
  type IssueScope,
  issueConditions,
  issueFilterParameters,
  issueFilterRules,
  MilestoneTimes,
  noneOrAny,
  searchWords,
} from "./filters/index.ts";
export { getReadableIssue, getReadableIssueById } from "./find.ts";
export { presentIssue, presentLabels, presentListedIssue } from "./present.ts";
export { ReadableIssues } from "./readable/index.ts";
export { countOpenIssues, issueRemoval } from "./removal/project-removal.ts";
export { unassignIssues } from "./removal/unassignment.ts";
export { issuesGoWithUser } from "./removal/user-removal.ts";
export { issuesArePossible, refuseIssuesIn, refusePlanning } from "./rights.ts";
export { Issue, ListedIssue } from "./schema.ts";
export { participantsOf } from "./subscriptions.ts";
export { countAssignedIssues, countAuthoredIssues } from "./user-facts.ts";

export const issuesModule = defineModule({
  name: "issues",
  tag: "Issues",
  operations: [...listOperations, ...singleOperations, ...sideOperations, ...timeOperations],
  jobs: [issueUnassignment],
});

/** A part of its own, because the API reference has it after the milestones. */
export const milestoneIssuesModule = defineModule({
  name: "milestone-issues",
  tag: "Milestones",
  operations: milestoneIssueOperations,
});
