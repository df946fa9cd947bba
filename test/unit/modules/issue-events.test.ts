import { expect, test } from "bun:test";
import { mailEventsOf } from "../../../src/modules/notifications/issue-mails/service-issues.ts";
import { emptyIssueRecord } from "../../support/planning/issue-records.ts";

const issue = { ...emptyIssueRecord, id: 1, iid: 1, project_id: 1, author_id: 1 };

test("users get mails about new issues, states and assignees, and about nothing else", () => {
  const closed = { ...issue, state: "closed" } as const;
  expect(mailEventsOf({ before: undefined, after: issue })).toEqual(["new_issue"]);
  expect(mailEventsOf({ before: issue, after: { ...closed, assignee_ids: [2] } })).toEqual([
    "close_issue",
    "reassign_issue",
  ]);
  expect(mailEventsOf({ before: closed, after: issue })).toEqual(["reopen_issue"]);
  expect(mailEventsOf({ before: { ...issue, assignee_ids: [1, 2] }, after: issue })).toEqual(["reassign_issue"]);
  expect(mailEventsOf({ before: issue, after: { ...issue, title: "other", label_ids: [1] } })).toEqual([]);
});
