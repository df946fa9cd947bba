import type { IssueRecord } from "../../../src/modules/planning/issues/records.ts";

/** An issue of which nothing is said but who wrote it where; for tests that write straight into the store. */
export const emptyIssueRecord: Omit<IssueRecord, "id" | "iid" | "project_id" | "author_id"> = {
  title: "an issue",
  description: null,
  state: "opened",
  assignee_ids: [],
  label_ids: [],
  milestone_id: null,
  epic_id: null,
  confidential: false,
  issue_type: "issue",
  severity: "unknown",
  weight: null,
  due_date: null,
  start_date: null,
  discussion_locked: null,
  created_at: "2024-05-01T09:30:00.000Z",
  updated_at: "2024-05-01T09:30:00.000Z",
  closed_at: null,
  closed_by_id: null,
  moved_to_id: null,
  time_estimate: 0,
  total_time_spent: 0,
  user_notes_count: 0,
  upvotes: 0,
  downvotes: 0,
};
