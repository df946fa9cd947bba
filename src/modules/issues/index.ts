import { listOperations } from "./list-operations.ts";
import { singleOperations } from "./operations.ts";
import { sideOperations } from "./side-operations.ts";
import { timeOperations } from "./time-operations.ts";

export { emptyIssue, fileIssue, iidSequence } from "./create.ts";
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
export { countOpenIssues, issueRemoval } from "./project-removal.ts";
export { ReadableIssues } from "./readable/index.ts";
export { issuesArePossible, refuseIssuesIn, refusePlanning } from "./rights.ts";
export { Issue, ListedIssue } from "./schema.ts";
export { participantsOf } from "./subscriptions.ts";
export { issueUnassignment, unassignIssues } from "./unassignment.ts";
export { closeIssue } from "./update.ts";
export { countAssignedIssues, countAuthoredIssues } from "./user-facts.ts";
export { issuesGoWithUser } from "./user-removal.ts";
export const issueOperations = [...listOperations, ...singleOperations, ...sideOperations, ...timeOperations];
