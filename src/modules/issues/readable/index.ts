export { ReadableIssues } from "./readable-issues.ts";
export { plannerLevel, readsIssue, seesEverything, seesIssuesOf } from "./rules.ts";
