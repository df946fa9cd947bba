export { canSeeEverything, canSeeIssuesOf, plannerLevel } from "./policy.ts";
export { ReadableIssueSets, ReadableIssues } from "./readable-issues.ts";
