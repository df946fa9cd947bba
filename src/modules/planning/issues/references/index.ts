export { findIssueByReference, issueReferenceFrom, issuesNamedIn } from "./issue-references.ts";
