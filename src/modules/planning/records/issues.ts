import type { CalendarDate, DateTime } from "../../../lib/datetime.ts";
import { bitmap, collection, ordered, text, unique } from "../../../store/index.ts";

export const issueTypes = ["issue", "incident", "test_case", "task"] as const;
type IssueType = (typeof issueTypes)[number];

export const severities = ["unknown", "low", "medium", "high", "critical"] as const;
export type Severity = (typeof severities)[number];

/** An issue (issues-labels-milestones-epics 1). Fields are named as on the wire. */
export interface IssueRecord {
  readonly id: number;
  /** From 1 in each project; never used again. */
  readonly iid: number;
  readonly project_id: number;
  readonly title: string;
  readonly description: string | null;
  readonly state: "opened" | "closed";
  readonly author_id: number;
  readonly assignee_ids: readonly number[];
  readonly label_ids: readonly number[];
  readonly milestone_id: number | null;
  readonly epic_id: number | null;
  readonly confidential: boolean;
  readonly issue_type: IssueType;
  readonly severity: Severity;
  readonly weight: number | null;
  readonly due_date: CalendarDate | null;
  readonly start_date: CalendarDate | null;
  /** null until somebody set it. */
  readonly discussion_locked: boolean | null;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
  readonly closed_at: DateTime | null;
  readonly closed_by_id: number | null;
  readonly moved_to_id: number | null;
  /** Seconds. */
  readonly time_estimate: number;
  /** Seconds. */
  readonly total_time_spent: number;
  /** Kept with the notes and reactions, so that lists need not count them. */
  readonly user_notes_count: number;
  readonly upvotes: number;
  readonly downvotes: number;
}

/** Stands for "none" in the postings of what an issue may lack. */
export const none = 0;

export const issues = collection<IssueRecord>()("issues", {
  iid: unique((issue) => iidKey(issue.project_id, issue.iid)),
  number: bitmap((issue) => [issue.iid]),
  project_id: bitmap((issue) => [issue.project_id]),
  state: bitmap((issue) => [issue.state]),
  author_id: bitmap((issue) => [issue.author_id]),
  assignee_id: bitmap((issue) => orNone(issue.assignee_ids)),
  label_id: bitmap((issue) => orNone(issue.label_ids)),
  milestone_id: bitmap((issue) => [issue.milestone_id ?? none]),
  epic_id: bitmap((issue) => [issue.epic_id ?? none]),
  /** Of all, and of one project. */
  confidential: bitmap((issue) => (issue.confidential ? ["yes", issue.project_id] : [])),
  issue_type: bitmap((issue) => [issue.issue_type]),
  weight: bitmap((issue) => [issue.weight ?? "none"]),
  closed_by_id: bitmap((issue) => (issue.closed_by_id === null ? [] : [issue.closed_by_id])),
  id: ordered((issue) => issue.id),
  created_at: ordered((issue) => issue.created_at),
  updated_at: ordered((issue) => issue.updated_at),
  due_date: ordered((issue) => issue.due_date ?? neverDue),
  title: ordered((issue) => issue.title.toLowerCase()),
  popularity: ordered((issue) => issue.upvotes),
  words: text({ title: (issue) => issue.title, description: (issue) => issue.description ?? "" }),
});

/** After every date: issues without one come last. */
export const neverDue = "9999-12-31";

const iidLimit = 2 ** 26;
const parentLimit = 2 ** 27;

/** A number where both fit into one: a text for each of a million issues takes 50 bytes more. */
export function iidKey(parentId: number, iid: number): number | string {
  const fits = iid >= 0 && iid < iidLimit && parentId >= 0 && parentId < parentLimit;
  return fits ? parentId * iidLimit + iid : `${parentId}/${iid}`;
}

function orNone(ids: readonly number[]): readonly number[] {
  return ids.length === 0 ? [none] : ids;
}
