import {
  bitmap,
  collection,
  field,
  multi,
  ordered,
  type RecordOf,
  record,
  text,
  unique,
} from "../../../store/index.ts";
import { iidKey } from "../issues/records.ts";

/** An epic (issues-labels-milestones-epics 6). */
export const EpicRecord = record({
  id: field.whole,
  /** Counts from 1 in each group. */
  iid: field.whole,
  group_id: field.whole,
  parent_id: field.nullable(field.whole),
  title: field.text,
  description: field.nullable(field.text),
  state: field.oneOf("opened", "closed"),
  confidential: field.flag,
  author_id: field.whole,
  label_ids: field.listOf(field.whole),
  start_date_is_fixed: field.flag,
  start_date_fixed: field.nullable(field.day),
  due_date_is_fixed: field.flag,
  due_date_fixed: field.nullable(field.day),
  color: field.text,
  created_at: field.moment,
  updated_at: field.moment,
  closed_at: field.nullable(field.moment),
  upvotes: field.whole,
  downvotes: field.whole,
});
export type EpicRecord = RecordOf<typeof EpicRecord>;

export const epics = collection("epics", EpicRecord, {
  typeName: "Epic",
  indexes: {
    iid: unique((epic) => iidKey(epic.group_id, epic.iid)),
    group_id: bitmap((epic) => [epic.group_id]),
    parent_id: multi((epic) => (epic.parent_id === null ? [] : [epic.parent_id])),
    state: bitmap((epic) => [epic.state]),
    author_id: bitmap((epic) => [epic.author_id]),
    label_id: bitmap((epic) => (epic.label_ids.length === 0 ? [0] : epic.label_ids)),
    /** The confidential ones of a group. */
    confidential: multi((epic) => (epic.confidential ? [epic.group_id] : [])),
    id: ordered((epic) => epic.id),
    created_at: ordered((epic) => epic.created_at),
    updated_at: ordered((epic) => epic.updated_at),
    title: ordered((epic) => epic.title.toLowerCase()),
    words: text({ title: (epic) => epic.title, description: (epic) => epic.description ?? "" }),
  },
  iidSequence: ({ group_id }) => `epics of group ${group_id}`,
  references: { group_id: "groups", author_id: "users" },
});

/** The link of an issue to its epic. An issue is in at most one epic, and its record names the epic as well. */
export const EpicIssueRecord = record({
  id: field.whole,
  epic_id: field.whole,
  issue_id: field.whole,
  relative_position: field.whole,
});
export type EpicIssueRecord = RecordOf<typeof EpicIssueRecord>;

export const epicIssues = collection("epic-issues", EpicIssueRecord, {
  indexes: {
    issue_id: unique(({ issue_id }) => issue_id),
    epic_id: multi(({ epic_id }) => [epic_id]),
    /** Orders the issues of an epic, from first to last. */
    relative_position: ordered(({ relative_position }) => relative_position),
  },
  references: { epic_id: "epics", issue_id: "issues" },
});

/** Room between the issues of an epic, for those that are moved between them. */
export const positionStep = 1_024;
