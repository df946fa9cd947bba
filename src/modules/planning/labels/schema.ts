import { type Static, Type } from "@sinclair/typebox";
import {
  boolean,
  groupId,
  integer,
  nullable,
  optional,
  projectId,
  searchText,
  text,
} from "../../../domain/parameters.ts";

const counts = {
  open_issues_count: Type.Optional(Type.Integer()),
  closed_issues_count: Type.Optional(Type.Integer()),
  open_merge_requests_count: Type.Optional(Type.Integer()),
};

/** A label as an issue shows it when asked for details (1.3). */
export const Label = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    color: Type.String(),
    description: Type.Union([Type.String(), Type.Null()]),
    description_html: Type.String(),
    text_color: Type.String(),
  },
  { $id: "IssueLabel" },
);

/** issues-labels-milestones-epics 2. */
export const GroupLabel = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  description_html: Type.String(),
  color: Type.String(),
  text_color: Type.String(),
  subscribed: Type.Boolean(),
  archived: Type.Boolean(),
  ...counts,
});

export const ProjectLabel = Type.Object({
  ...GroupLabel.properties,
  priority: Type.Union([Type.Integer(), Type.Null()]),
  is_project_label: Type.Boolean(),
});

const colorWords = { description: "#RGB, #RRGGBB, or the name of a CSS colour" };
const description = () => text({ maxLength: 131_072, description: "at most 65,536 characters" });
const inProject = { id: projectId() };
const inGroup = { id: groupId() };
const one = { label_id: text({ description: "id or title", takesNumber: true }) };
const byIdOrName = { label_id: optional(integer()), name: optional(text()) };
const list = {
  with_counts: optional(boolean({ description: "with the numbers of issues; false" })),
  include_ancestor_groups: optional(boolean({ description: "true" })),
  search: optional(searchText("part of the title or description")),
  archived: optional(boolean({ description: "only archived labels, or only others; all unless given" })),
};
const archived = { archived: optional(boolean({ description: "the label is out of use" })) };
const creation = { name: text(), color: text(colorWords), description: optional(nullable(description())), ...archived };
const priority = { priority: optional(nullable(integer())) };
const change = {
  new_name: optional(text({ allowBlank: false })),
  color: optional(text({ allowBlank: false, ...colorWords })),
  description: optional(nullable(description())),
  ...archived,
};

/** The parameters of the operations on labels of a project. */
export const projectLabelParameters = {
  list: Type.Object({ ...inProject, ...list }),
  one: Type.Object({ ...inProject, ...one }),
  create: Type.Object({ ...inProject, ...creation, ...priority }),
  update: Type.Object({ ...inProject, ...one, ...change, ...priority }),
  updateByName: Type.Object({ ...inProject, ...byIdOrName, ...change, ...priority }),
  deleteByName: Type.Object({ ...inProject, ...byIdOrName }),
} as const;

/** The parameters of the operations on labels of a group. */
export const groupLabelParameters = {
  list: Type.Object({
    ...inGroup,
    ...list,
    include_descendant_groups: optional(boolean({ description: "false" })),
    only_group_labels: optional(boolean({ description: "false: those of the projects in the group, too" })),
  }),
  one: Type.Object({ ...inGroup, ...one }),
  create: Type.Object({ ...inGroup, ...creation }),
  update: Type.Object({ ...inGroup, ...one, ...change }),
  updateByName: Type.Object({ ...inGroup, ...byIdOrName, ...change }),
  deleteByName: Type.Object({ ...inGroup, ...byIdOrName }),
} as const;

export const PromoteLabel = Type.Object({ ...inProject, name: text() });

const { list: ListInProject, updateByName: ChangeInProject, create: CreateInProject } = projectLabelParameters;
export type ListLabels = Omit<Static<typeof ListInProject>, "id"> & {
  readonly include_descendant_groups?: boolean;
  readonly only_group_labels?: boolean;
};
export type CreateLabel = Omit<Static<typeof CreateInProject>, "id">;
export type ChangeLabel = Omit<Static<typeof ChangeInProject>, "id" | "label_id" | "name">;
