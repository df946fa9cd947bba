export { dueIssueMails } from "./due.ts";
export { mailEpic } from "./epics.ts";
export { mailIssue, mailNote } from "./issues.ts";
export { dueMails } from "./records.ts";
