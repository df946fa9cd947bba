import { Type } from "@sinclair/typebox";
import {
  dateTime,
  idInPath,
  integer,
  longText,
  oneOf,
  optional,
  pathText,
  projectId,
  text,
} from "../../../domain/parameters.ts";
import { BasicUser } from "../../core/users/index.ts";
import { arrayOf } from "../../kernel/array-schema.ts";

const time = () => Type.String({ format: "date-time" });
const none = (description: string) => Type.Null({ description });
const lineTypes = ["new", "old"] as const;

/** commits 6: a note as a comment. */
export const CommitComment = Type.Object(
  {
    note: Type.String({ description: "text of the comment" }),
    path: Type.Union([Type.String(), Type.Null()], { description: "file that it is about" }),
    line: Type.Union([Type.Integer(), Type.Null()], { description: "line of the file" }),
    line_type: Type.Union([Type.Literal("new"), Type.Literal("old"), Type.Null()], {
      description: "new: a line after the change; old: one before it",
    }),
    author: BasicUser,
    created_at: time(),
  },
  { $id: "CommitComment" },
);

/** The same note in a discussion. */
export const CommitNote = Type.Object(
  {
    id: Type.Integer(),
    type: Type.Union([Type.Literal("DiscussionNote"), Type.Literal("LegacyDiffNote"), Type.Null()], {
      description: "DiscussionNote in a discussion, LegacyDiffNote on a line",
    }),
    body: Type.String(),
    attachment: none("always null"),
    author: BasicUser,
    created_at: time(),
    updated_at: time(),
    system: Type.Boolean(),
    noteable_id: none("null: a commit has no number"),
    noteable_type: Type.Literal("Commit"),
    noteable_iid: none("null: a commit has no number"),
    project_id: Type.Integer(),
    commit_id: Type.String({ description: "id of the commit" }),
    resolvable: Type.Boolean(),
    confidential: none("always null"),
    internal: Type.Boolean(),
    imported: Type.Boolean(),
    imported_from: Type.String(),
    commands_changes: Type.Object({}, { description: "empty: a commit has no quick actions" }),
  },
  { $id: "CommitNote" },
);

export const CommitDiscussion = Type.Object(
  {
    id: Type.String({ description: "id of the discussion, 40 digits" }),
    individual_note: Type.Boolean({ description: "whether it is one comment" }),
    notes: arrayOf(CommitNote, { description: "oldest first" }),
  },
  { $id: "CommitDiscussion" },
);

const body = () => longText({ description: "at most 1,000,000 characters" });
const created_at = optional(dateTime({ description: "only owners and administrators may set it" }));

export const CommitInPath = Type.Object({ id: projectId(), sha: text({ description: "commit, branch or tag" }) });

export const NewComment = Type.Object({
  ...CommitInPath.properties,
  note: body(),
  path: optional(pathText({ description: "file in the diff of the commit" })),
  line: optional(integer({ description: "line of the file" })),
  line_type: optional(oneOf(lineTypes, { description: "new by default" })),
});

export const NewNote = Type.Object({ ...CommitInPath.properties, body: body(), created_at });

export const DiscussionInPath = Type.Object({
  ...CommitInPath.properties,
  discussion_id: text({ description: "id of the discussion" }),
});

export const NewReply = Type.Object({ ...DiscussionInPath.properties, body: body(), created_at });

export const NoteInPath = Type.Object({ ...DiscussionInPath.properties, note_id: idInPath("note id") });

export const ChangedNote = Type.Object({ ...NoteInPath.properties, body: body() });
