export { issueConditions } from "./conditions.ts";
export { type IssueFilters, issueFilterParameters, issueFilterRules } from "./schema.ts";
export { type IssueCondition, type IssueScope, readableConditions } from "./scope.ts";
