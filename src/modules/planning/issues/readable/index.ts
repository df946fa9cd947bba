export { ReadableIssues } from "./readable-issues.ts";
export { plannerLevel, seesEverything, seesIssuesOf } from "./rules.ts";
