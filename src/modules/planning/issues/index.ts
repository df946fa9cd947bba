import { listOperations } from "./list-operations.ts";
import { singleOperations } from "./operations.ts";
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
export { milestoneIssueOperations } from "./milestone-operations.ts";
export { presentIssue, presentLabels, presentListedIssue } from "./present.ts";
export { ReadableIssues } from "./readable/index.ts";
export { countOpenIssues, issueRemoval } from "./removal/project-removal.ts";
export { issueUnassignment, unassignIssues } from "./removal/unassignment.ts";
export { issuesGoWithUser } from "./removal/user-removal.ts";
export { issuesArePossible, refuseIssuesIn, refusePlanning } from "./rights.ts";
export { Issue, ListedIssue } from "./schema.ts";
export { participantsOf } from "./subscriptions.ts";
export { countAssignedIssues, countAuthoredIssues } from "./user-facts.ts";
export const issueOperations = [...listOperations, ...singleOperations, ...sideOperations, ...timeOperations];
