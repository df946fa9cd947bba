import { type Static, Type } from "@sinclair/typebox";
import {
  boolean,
  dateTime,
  groupId,
  idInPath,
  integer,
  list,
  longText,
  nullable,
  oneOf,
  optional,
  projectId,
  searchText,
  text,
  writtenDate,
} from "../../../domain/parameters.ts";

/** A milestone (issues-labels-milestones-epics 3). */
export const Milestone = Type.Object(
  {
    id: Type.Integer(),
    iid: Type.Integer(),
    project_id: Type.Optional(Type.Integer()),
    group_id: Type.Optional(Type.Integer()),
    title: Type.String(),
    description: Type.Union([Type.String(), Type.Null()]),
    state: Type.String(),
    created_at: Type.String({ format: "date-time" }),
    updated_at: Type.String({ format: "date-time" }),
    due_date: Type.Union([Type.String({ format: "date" }), Type.Null()]),
    start_date: Type.Union([Type.String({ format: "date" }), Type.Null()]),
    expired: Type.Boolean(),
    web_url: Type.String(),
  },
  { $id: "Milestone" },
);

const filters = {
  iids: optional(
    list(integer(), { split: true, description: "ignored with include_ancestors and include_descendants" }),
  ),
  state: optional(oneOf(["active", "closed", "all"])),
  title: optional(text({ description: "the whole title" })),
  search: optional(searchText("part of the title or description")),
  include_ancestors: optional(boolean({ description: "those of the groups above, too; false" })),
  include_parent_milestones: optional(boolean({ deprecated: true, description: "include_ancestors" })),
  updated_before: optional(dateTime()),
  updated_after: optional(dateTime()),
};
const more = {
  description: optional(nullable(longText({ description: "at most 1,048,576 characters" }))),
  start_date: optional(nullable(writtenDate())),
  due_date: optional(nullable(writtenDate())),
};
const change = {
  title: optional(text({ allowBlank: false })),
  ...more,
  state_event: optional(oneOf(["close", "activate"])),
};
const one = { milestone_id: idInPath("id, or iid where there is no such id") };

const parametersIn = <P extends { readonly id: ReturnType<typeof projectId> }>(place: P) => ({
  one: Type.Object({ ...place, ...one }),
  create: Type.Object({ ...place, title: text(), ...more }),
  update: Type.Object({ ...place, ...one, ...change }),
});

/** The parameters of the operations on milestones of a project. */
export const projectMilestoneParameters = {
  ...parametersIn({ id: projectId() }),
  list: Type.Object({ id: projectId(), ...filters }),
};
/** The parameters of the operations on milestones of a group. */
export const groupMilestoneParameters = {
  ...parametersIn({ id: groupId() }),
  list: Type.Object({
    id: groupId(),
    ...filters,
    include_descendants: optional(boolean({ description: "those of the groups and projects below, too; false" })),
  }),
};

/** The attributes of a milestone that a change can set; it has to set at least one. */
export const changeable = ["title", "description", "start_date", "due_date", "state_event"] as const;

export type ListMilestones = Omit<Static<typeof projectMilestoneParameters.list>, "id"> & {
  readonly include_descendants?: boolean;
};
export type CreateMilestone = Omit<Static<typeof projectMilestoneParameters.create>, "id">;
export type ChangeMilestone = Omit<Static<typeof projectMilestoneParameters.update>, "id" | "milestone_id">;
