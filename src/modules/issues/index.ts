export {
  type IssueCondition,
  type IssueFilters,
  type IssueScope,
  issueConditions,
  issueFilterParameters,
  issueFilterRules,
} from "./filters/index.ts";
export { getReadableIssue } from "./find.ts";
export { singleOperations as issueOperations } from "./operations.ts";
export { presentIssue, presentListedIssue } from "./present.ts";
export { ReadableIssues, readsIssue, seesIssuesOf } from "./readable/index.ts";
