import { type Static, Type } from "@sinclair/typebox";
import { boolean, groupId, integer, list, oneOf, optional, projectId, text } from "../../../../domain/parameters.ts";
import { issueFilterParameters } from "../filters/index.ts";
import { issueTypes } from "../records.ts";

const orders = [
  "created_at",
  "updated_at",
  "priority",
  "due_date",
  "relative_position",
  "label_priority",
  "milestone_due",
  "popularity",
  "title",
  "weight",
] as const;

const dueDates = [
  "0",
  "any",
  "today",
  "tomorrow",
  "overdue",
  "week",
  "month",
  "next_month_and_previous_two_weeks",
] as const;

/** The parameters of all three lists (issues-labels-milestones-epics 1.3). */
const listParameters = {
  ...issueFilterParameters,
  milestone_title: optional(text({ emptyIsAbsent: true, deprecated: true, description: "older name of milestone" })),
  label_name: optional(list(text(), { split: true, deprecated: true, description: "older name of labels" })),
  state: optional(oneOf(["opened", "closed", "all"], { emptyIsAbsent: true })),
  order_by: optional(oneOf(orders, { emptyIsAbsent: true, description: "weight: premium" })),
  sort: optional(oneOf(["asc", "desc"], { emptyIsAbsent: true })),
  with_labels_details: optional(boolean({ description: "labels are objects" })),
  due_date: optional(oneOf(dueDates, { emptyIsAbsent: true })),
  issue_type: optional(oneOf(issueTypes, { emptyIsAbsent: true })),
  closed_by_id: optional(integer()),
};

const nonArchived = { non_archived: optional(boolean({ description: "false: those of archived projects too" })) };

export const ListIssues = Type.Object({ ...listParameters, ...nonArchived });
export const ListGroupIssues = Type.Object({ id: groupId(), ...listParameters, ...nonArchived });
export const ListProjectIssues = Type.Object({ id: projectId(), ...listParameters });

export type ListParameters = Static<typeof ListIssues>;
export type DueDateWord = (typeof dueDates)[number];
export type OrderBy = (typeof orders)[number];
