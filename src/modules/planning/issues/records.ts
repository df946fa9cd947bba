import { afterAllDates } from "../../../lib/datetime.ts";
import { bitmap, collection, field, ordered, type RecordOf, record, text, unique } from "../../../store/index.ts";

export const issueTypes = ["issue", "incident", "test_case", "task"] as const;

export const severities = ["unknown", "low", "medium", "high", "critical"] as const;
export const healthStatuses = ["on_track", "needs_attention", "at_risk"] as const;

export type Severity = (typeof severities)[number];

/** An issue (issues-labels-milestones-epics 1). Fields are named as on the wire. */
export const IssueRecord = record({
  id: field.whole,
  /** Counts from 1 in each project; never used again. */
  iid: field.whole,
  project_id: field.whole,
  title: field.text,
  description: field.nullable(field.text),
  state: field.oneOf("opened", "closed"),
  author_id: field.whole,
  assignee_ids: field.listOf(field.whole),
  label_ids: field.listOf(field.whole),
  milestone_id: field.nullable(field.whole),
  epic_id: field.nullable(field.whole),
  confidential: field.flag,
  issue_type: field.oneOf(...issueTypes),
  severity: field.oneOf(...severities),
  weight: field.nullable(field.whole),
  health_status: field.optional(field.nullable(field.oneOf(...healthStatuses))),
  due_date: field.nullable(field.day),
  start_date: field.nullable(field.day),
  /** null until it is set. */
  discussion_locked: field.nullable(field.flag),
  created_at: field.moment,
  updated_at: field.moment,
  closed_at: field.nullable(field.moment),
  closed_by_id: field.nullable(field.whole),
  moved_to_id: field.nullable(field.whole),
  /** The place among others that people have given it; undefined: that of its creation. */
  relative_position: field.optional(field.whole),
  /** The issue that says the same; undefined: none. */
  duplicated_to_id: field.optional(field.nullable(field.whole)),
  /** The epic that was made of it; undefined: none. */
  promoted_to_epic_id: field.optional(field.whole),
  /** Seconds. */
  time_estimate: field.whole,
  /** Seconds. */
  total_time_spent: field.whole,
  /** Check boxes of the description; undefined: not counted yet. */
  task_completion: field.optional(field.object({ count: field.whole, completed_count: field.whole })),
  /** Updated with the notes and reactions, so that lists need not count them. */
  user_notes_count: field.whole,
  upvotes: field.whole,
  downvotes: field.whole,
});
export type IssueRecord = RecordOf<typeof IssueRecord>;

/** Stands for "none" in the postings of what an issue may lack. */
export const none = 0;

export const issues = collection("issues", IssueRecord, {
  typeName: "Issue",
  indexes: {
    iid: unique((issue) => iidKey(issue.project_id, issue.iid)),
    number: bitmap((issue) => [issue.iid]),
    project_id: bitmap((issue) => [issue.project_id]),
    state: bitmap((issue) => [issue.state]),
    author_id: bitmap((issue) => [issue.author_id]),
    assignee_id: bitmap((issue) => orNone(issue.assignee_ids)),
    label_id: bitmap((issue) => orNone(issue.label_ids)),
    milestone_id: bitmap((issue) => [issue.milestone_id ?? none]),
    epic_id: bitmap((issue) => [issue.epic_id ?? none]),
    /** Confidential issues of all projects, and of each. */
    confidential: bitmap((issue) => (issue.confidential ? ["yes", issue.project_id] : [])),
    issue_type: bitmap((issue) => [issue.issue_type]),
    weight: bitmap((issue) => [issue.weight ?? "none"]),
    health_status: bitmap((issue) => [issue.health_status ?? "none"]),
    closed_by_id: bitmap((issue) => (issue.closed_by_id === null ? [] : [issue.closed_by_id])),
    id: ordered((issue) => issue.id),
    created_at: ordered((issue) => issue.created_at),
    updated_at: ordered((issue) => issue.updated_at),
    due_date: ordered((issue) => issue.due_date ?? afterAllDates),
    title: ordered((issue) => issue.title.toLowerCase()),
    relative_position: ordered(positionOf),
    popularity: ordered((issue) => issue.upvotes),
    words: text({ title: (issue) => issue.title, description: (issue) => issue.description ?? "" }),
  },
  iidSequence: ({ project_id }) => `issues of project ${project_id}`,
  references: { project_id: "projects", author_id: "users", assignee_ids: "users", closed_by_id: "users" },
});

/** Room between neighbours, for those that are moved between them. */
export const issuePositionStep = 2 ** 20;

/** The place of an issue among others: people move issues, and a new one comes last. */
export function positionOf({ id, relative_position }: Pick<IssueRecord, "id" | "relative_position">): number {
  return relative_position ?? id * issuePositionStep;
}

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
