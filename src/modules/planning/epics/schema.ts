import { type TSchema, Type } from "@sinclair/typebox";
import { BasicUser } from "../../core/users/index.ts";
import { ListedIssue } from "../issues/index.ts";
import { Label } from "../labels/index.ts";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const DateTime = Type.String({ format: "date-time" });
const CalendarDate = Type.String({ format: "date" });

const fields = {
  id: Type.Integer(),
  iid: Type.Integer(),
  group_id: Type.Integer(),
  parent_id: orNull(Type.Integer()),
  title: Type.String(),
  description: orNull(Type.String()),
  state: Type.Union([Type.Literal("opened"), Type.Literal("closed")]),
  confidential: Type.Boolean(),
  web_url: Type.String(),
  reference: Type.String(),
  references: Type.Object({ short: Type.String(), relative: Type.String(), full: Type.String() }),
  author: BasicUser,
  start_date: orNull(CalendarDate),
  start_date_is_fixed: Type.Boolean(),
  start_date_fixed: orNull(CalendarDate),
  start_date_from_milestones: orNull(CalendarDate),
  start_date_from_inherited_source: orNull(CalendarDate),
  end_date: orNull(CalendarDate),
  due_date: orNull(CalendarDate),
  due_date_is_fixed: Type.Boolean(),
  due_date_fixed: orNull(CalendarDate),
  due_date_from_milestones: orNull(CalendarDate),
  due_date_from_inherited_source: orNull(CalendarDate),
  created_at: DateTime,
  updated_at: DateTime,
  closed_at: orNull(DateTime),
  labels: Type.Union([Type.Array(Type.String()), Type.Array(Label)]),
  upvotes: Type.Integer(),
  downvotes: Type.Integer(),
  color: Type.String(),
  _links: Type.Object({
    self: Type.String(),
    epic_issues: Type.String(),
    group: Type.String(),
    parent: orNull(Type.String()),
  }),
};

/** An entry of a list (issues-labels-milestones-epics 6). */
export const ListedEpic = Type.Object(fields, { $id: "ListedEpic" });

/** A single epic. */
export const Epic = Type.Object({ ...fields, subscribed: Type.Boolean() }, { $id: "Epic" });

/** An issue as its epic lists it. */
export const IssueOfEpic = Type.Object(
  { ...ListedIssue.properties, epic_issue_id: Type.Integer(), relative_position: Type.Integer() },
  { $id: "IssueOfEpic" },
);

/** The link of an issue to its present or former epic; `id` is that of the link. */
export const EpicIssueLink = Type.Object(
  {
    id: Type.Integer(),
    epic: ListedEpic,
    issue: ListedIssue,
    relative_position: Type.Integer(),
  },
  { $id: "EpicIssueLink" },
);
