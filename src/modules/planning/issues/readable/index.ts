export { canSeeIssuesOf, isUnrestricted, plannerLevel } from "./policy.ts";
export { ReadableIssueSets, ReadableIssues } from "./readable-issues.ts";
