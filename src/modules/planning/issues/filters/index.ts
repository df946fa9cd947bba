export { issueConditions } from "./conditions.ts";
export { MilestoneTimes } from "./milestone-times.ts";
export { type IssueFilters, issueFilterParameters, issueFilterRules } from "./schema.ts";
export { type IssueCondition, type IssueScope, readableConditions } from "./scope.ts";
export { noneOrAny, searchWords } from "./search-words.ts";
