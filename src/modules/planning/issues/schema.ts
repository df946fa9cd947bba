import { type TSchema, Type } from "@sinclair/typebox";
import { BasicUser } from "../../core/users/index.ts";
import { Label } from "../labels/index.ts";
import { Milestone } from "../milestones/index.ts";
import { TimeStats } from "../time-tracking/index.ts";
import { healthStatuses, issueTypes } from "./records.ts";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const DateTime = Type.String({ format: "date-time" });
const CalendarDate = Type.String({ format: "date" });

const fields = {
  id: Type.Integer(),
  iid: Type.Integer(),
  project_id: Type.Integer(),
  title: Type.String(),
  description: orNull(Type.String()),
  state: Type.Union([Type.Literal("opened"), Type.Literal("closed")]),
  created_at: DateTime,
  updated_at: DateTime,
  closed_at: orNull(DateTime),
  closed_by: orNull(BasicUser),
  labels: Type.Union([Type.Array(Type.String()), Type.Array(Label)]),
  milestone: orNull(Milestone),
  assignees: Type.Array(BasicUser),
  assignee: orNull(BasicUser),
  author: BasicUser,
  type: Type.String(),
  issue_type: Type.Union(issueTypes.map((type) => Type.Literal(type))),
  user_notes_count: Type.Integer(),
  merge_requests_count: Type.Integer(),
  upvotes: Type.Integer(),
  downvotes: Type.Integer(),
  due_date: orNull(CalendarDate),
  start_date: orNull(CalendarDate),
  confidential: Type.Boolean(),
  discussion_locked: orNull(Type.Boolean()),
  web_url: Type.String(),
  time_stats: TimeStats,
  task_completion_status: Type.Object({ count: Type.Integer(), completed_count: Type.Integer() }),
  has_tasks: Type.Boolean(),
  task_status: Type.Optional(Type.String()),
  weight: Type.Optional(orNull(Type.Integer())),
  epic_iid: Type.Optional(orNull(Type.Integer())),
  epic: Type.Optional(
    orNull(
      Type.Object({
        id: Type.Integer(),
        iid: Type.Integer(),
        title: Type.String(),
        url: Type.String(),
        group_id: Type.Integer(),
      }),
    ),
  ),
  iteration: Type.Optional(Type.Null()),
  health_status: Type.Optional(Type.Union([...healthStatuses.map((each) => Type.Literal(each)), Type.Null()])),
  blocking_issues_count: Type.Integer(),
  _links: Type.Object({
    self: Type.String(),
    notes: Type.String(),
    award_emoji: Type.String(),
    project: Type.String(),
    closed_as_duplicate_of: orNull(Type.String()),
  }),
  references: Type.Object({ short: Type.String(), relative: Type.String(), full: Type.String() }),
  severity: Type.String(),
  moved_to_id: orNull(Type.Integer()),
  imported: Type.Boolean(),
  imported_from: Type.String(),
  service_desk_reply_to: Type.Null(),
};

/** An entry of a list (issues-labels-milestones-epics 1.5). */
export const ListedIssue = Type.Object(fields, { $id: "ListedIssue" });

/** A single issue. */
export const Issue = Type.Object({ ...fields, subscribed: Type.Boolean() }, { $id: "Issue" });
