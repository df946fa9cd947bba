export { findEpicByReference, findEpicOfNumber } from "./epic-references.ts";
export { findIssueByReference, issueReferenceFrom, issuesNamedIn, projectReferenceFrom } from "./issue-references.ts";
