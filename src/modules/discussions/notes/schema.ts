import { Type } from "@sinclair/typebox";
import { boolean, dateTime, idInPath, longText, oneOf, optional, projectId } from "../../../domain/parameters.ts";
import { BasicUser } from "../../core/users/index.ts";

/** A note on an issue (issues-labels-milestones-epics 5). */
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
    noteable_iid: Type.Integer(),
    project_id: Type.Integer(),
    resolvable: Type.Boolean(),
    confidential: Type.Boolean(),
    internal: Type.Boolean(),
    imported: Type.Boolean(),
    imported_from: Type.String(),
    commands_changes: Type.Object({}),
  },
  { $id: "Note" },
);

const issueInPath = { id: projectId(), issue_iid: idInPath("iid of the issue") };

export const NoteInPath = Type.Object({ ...issueInPath, note_id: idInPath("note id") });

export const ListNotes = Type.Object({
  ...issueInPath,
  sort: optional(oneOf(["asc", "desc"])),
  order_by: optional(oneOf(["created_at", "updated_at"])),
  activity_filter: optional(oneOf(["all_notes", "only_comments", "only_activity"])),
});

export const CreateNote = Type.Object({
  ...issueInPath,
  body: longText({ description: "at most 1,000,000 characters" }),
  created_at: optional(dateTime({ description: "heard from owners and administrators" })),
  internal: optional(boolean({ description: "for planners and above" })),
});

export const UpdateNote = Type.Object({
  ...NoteInPath.properties,
  body: longText({ description: "at most 1,000,000 characters" }),
});
