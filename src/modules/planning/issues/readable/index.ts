export { ReadableIssueSets, ReadableIssues } from "./readable-issues.ts";
export { plannerLevel, seesEverything, seesIssuesOf } from "./rules.ts";
