export { findEpicByReference, findEpicOfNumber } from "./epic-references.ts";
export { findIssueByReference, issueReferenceFrom, issuesNamedIn } from "./issue-references.ts";
