import { Type } from "@sinclair/typebox";

const orNull = <T extends ReturnType<typeof Type.Integer> | ReturnType<typeof Type.String>>(schema: T) =>
  Type.Union([schema, Type.Null()]);

/** A milestone (issues-labels-milestones-epics 3). */
export const Milestone = Type.Object(
  {
    id: Type.Integer(),
    iid: Type.Integer(),
    project_id: Type.Optional(Type.Integer()),
    group_id: Type.Optional(Type.Integer()),
    title: Type.String(),
    description: orNull(Type.String()),
    state: Type.String(),
    created_at: Type.String({ format: "date-time" }),
    updated_at: Type.String({ format: "date-time" }),
    due_date: orNull(Type.String({ format: "date" })),
    start_date: orNull(Type.String({ format: "date" })),
    expired: Type.Boolean(),
    web_url: Type.String(),
  },
  { $id: "Milestone" },
);

/** A label as an issue shows it when asked for details (1.3). */
export const Label = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    color: Type.String(),
    description: orNull(Type.String()),
    description_html: Type.String(),
    text_color: Type.String(),
  },
  { $id: "IssueLabel" },
);
