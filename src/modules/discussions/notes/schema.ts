import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { boolean, dateTime, longText, oneOf, optional } from "../../../domain/parameters.ts";
import { BasicUser } from "../../core/users/index.ts";

const ids = () => Type.Optional(Type.Array(Type.Integer()));
const orNull = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

/** The changes that quick actions of a text have made; the attributes that none of them names are left out. */
const CommandsChanges = Type.Object(
  {
    state_event: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
    label_ids: ids(),
    add_label_ids: ids(),
    remove_label_ids: ids(),
    assignee_ids: ids(),
    milestone_id: orNull(Type.Integer()),
    due_date: orNull(Type.String({ format: "date" })),
    time_estimate: Type.Optional(Type.Integer()),
    spend_time: Type.Optional(
      Type.Object({
        duration: Type.Union([Type.Integer(), Type.Literal("reset")]),
        user_id: Type.Integer(),
        spent_at: Type.Optional(Type.String({ format: "date" })),
      }),
    ),
    discussion_locked: Type.Optional(Type.Boolean()),
    confidential: Type.Optional(Type.Boolean()),
    subscription_event: Type.Optional(Type.String()),
    emoji_award: Type.Optional(Type.String()),
    issue_type: Type.Optional(Type.String()),
    severity: Type.Optional(Type.String()),
    weight: orNull(Type.Integer()),
    epic_id: orNull(Type.Integer()),
    health_status: orNull(Type.String()),
    canonical_issue_id: Type.Optional(Type.Integer()),
    reviewer_ids: ids(),
    wip_event: Type.Optional(Type.String()),
  },
  { $id: "CommandsChanges" },
);

/** A note (issues-labels-milestones-epics 5). */
export const Note = Type.Object(
  {
    id: Type.Integer(),
    type: Type.Null(),
    body: Type.String(),
    attachment: Type.Null(),
    author: BasicUser,
    created_at: Type.String({ format: "date-time" }),
    updated_at: Type.String({ format: "date-time" }),
    system: Type.Boolean(),
    noteable_id: Type.Integer(),
    noteable_type: Type.String(),
    noteable_iid: Type.Union([Type.Integer(), Type.Null()]),
    project_id: Type.Integer(),
    resolvable: Type.Boolean(),
    confidential: Type.Boolean(),
    internal: Type.Boolean(),
    imported: Type.Boolean(),
    imported_from: Type.String(),
    commands_changes: CommandsChanges,
  },
  { $id: "Note" },
);

/** The result of a text that had quick actions alone, and left no note. */
export const QuickActionResult = Type.Object(
  { commands_changes: CommandsChanges, summary: Type.Array(Type.String()) },
  { $id: "QuickActionResult" },
);

export type CommandsChanges = Static<typeof CommandsChanges>;

const body = () => longText({ description: "at most 1,000,000 characters" });

/** The parameters beside those of the path. */
export const noteParameters = {
  list: {
    sort: optional(oneOf(["asc", "desc"])),
    order_by: optional(oneOf(["created_at", "updated_at"])),
    activity_filter: optional(oneOf(["all_notes", "only_comments", "only_activity"])),
  },
  create: {
    body: body(),
    created_at: optional(dateTime({ description: "only owners and administrators may set it" })),
    internal: optional(boolean({ description: "for planners and above" })),
    confidential: optional(boolean({ deprecated: true, description: "older name of internal" })),
  },
  update: { body: body() },
};

const ListNotes = Type.Object(noteParameters.list);
const CreateNote = Type.Object(noteParameters.create);

export type ListNotes = Static<typeof ListNotes>;
export type CreateNote = Static<typeof CreateNote>;
