export { ReadableIssueSets, ReadableIssues } from "./readable-issues.ts";
export { canSeeEverything, canSeeIssuesOf, plannerLevel } from "./rules.ts";
