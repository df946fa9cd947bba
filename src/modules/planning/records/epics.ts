import type { CalendarDate, DateTime } from "../../../lib/datetime.ts";
import { bitmap, collection, multi, ordered, text, unique } from "../../../store/index.ts";
import { iidKey } from "./issues.ts";

/** An epic (issues-labels-milestones-epics 6). */
export interface EpicRecord {
  readonly id: number;
  /** From 1 in each group. */
  readonly iid: number;
  readonly group_id: number;
  readonly parent_id: number | null;
  readonly title: string;
  readonly description: string | null;
  readonly state: "opened" | "closed";
  readonly confidential: boolean;
  readonly author_id: number;
  readonly label_ids: readonly number[];
  readonly start_date_is_fixed: boolean;
  readonly start_date_fixed: CalendarDate | null;
  readonly due_date_is_fixed: boolean;
  readonly due_date_fixed: CalendarDate | null;
  readonly color: string;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
  readonly closed_at: DateTime | null;
  readonly upvotes: number;
  readonly downvotes: number;
}

export const epics = collection<EpicRecord>()("epics", {
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
});

/** That an issue is in an epic; an issue is in one at most, and its record names the epic as well. */
export interface EpicIssueRecord {
  readonly id: number;
  readonly epic_id: number;
  readonly issue_id: number;
  readonly relative_position: number;
}

export const epicIssues = collection<EpicIssueRecord>()("epic-issues", {
  issue_id: unique(({ issue_id }) => issue_id),
  epic_id: multi(({ epic_id }) => [epic_id]),
  /** Within an epic, from its first issue to its last. */
  relative_position: ordered(({ relative_position }) => relative_position),
});
