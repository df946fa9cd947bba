import { expect, test } from "bun:test";
import { eventsOf } from "../../../src/modules/planning/issues/events.ts";
import { emptyIssueRecord } from "../../support/planning/issue-records.ts";

const issue = { ...emptyIssueRecord, id: 1, iid: 1, project_id: 1, author_id: 1 };

test("users get mails about new issues, states and assignees, and about nothing else", () => {
  const closed = { ...issue, state: "closed" } as const;
  expect(eventsOf({ before: undefined, after: issue })).toEqual(["new_issue"]);
  expect(eventsOf({ before: issue, after: { ...closed, assignee_ids: [2] } })).toEqual([
    "close_issue",
    "reassign_issue",
  ]);
  expect(eventsOf({ before: closed, after: issue })).toEqual(["reopen_issue"]);
  expect(eventsOf({ before: { ...issue, assignee_ids: [1, 2] }, after: issue })).toEqual(["reassign_issue"]);
  expect(eventsOf({ before: issue, after: { ...issue, title: "other", label_ids: [1] } })).toEqual([]);
});
