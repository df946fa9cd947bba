import { type Static, Type } from "@sinclair/typebox";
import {
  contentText,
  dateTime as dateTimeParameter,
  hash,
  list,
  longText,
  oneOf,
  optional,
  text,
} from "../../../domain/parameters.ts";
import { visibilities } from "../../../domain/visibility.ts";
import { BasicUser } from "../../core/users/index.ts";

const dateTime = () => Type.String({ format: "date-time" });
const nullable = (schema: ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>) =>
  Type.Union([schema, Type.Null()]);

/** storage-moves 3, "snippet". */
export const BasicSnippet = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    description: nullable(Type.String()),
    visibility: oneOf(visibilities),
    created_at: dateTime(),
    updated_at: dateTime(),
    project_id: nullable(Type.Integer()),
    web_url: Type.String(),
    raw_url: Type.String(),
    ssh_url_to_repo: Type.String(),
    http_url_to_repo: Type.String(),
  },
  { $id: "BasicSnippet" },
);

/** storage-moves 8. */
export const Snippet = Type.Object(
  {
    ...BasicSnippet.properties,
    author: Type.Union([BasicUser, Type.Null()]),
    file_name: Type.String(),
    files: Type.Array(Type.Object({ path: Type.String(), raw_url: Type.String() })),
  },
  { $id: "Snippet" },
);

/** A snippet has ten files, and each change reads and writes them all. */
const contentLengthMax = 5_242_880;
const content = () => contentText({ allowBlank: false, maxLength: contentLengthMax });
const filePath = () => text({ allowBlank: false, description: "path of the file in the snippet" });
const visibility = () => optional(oneOf(visibilities));

export const CreateSnippet = {
  title: text({ allowBlank: false }),
  description: optional(longText({ description: "at most 1,048,576 characters" })),
  visibility: visibility(),
  files: optional(list(hash({ file_path: filePath(), content: content() }))),
  file_name: optional(filePath()),
  content: optional(content()),
};

export const fileActions = ["create", "update", "delete", "move"] as const;

export const UpdateSnippet = {
  title: optional(text({ allowBlank: false })),
  description: optional(longText({ description: "at most 1,048,576 characters" })),
  visibility: visibility(),
  files: optional(
    list(
      hash({
        action: oneOf(fileActions),
        file_path: optional(filePath()),
        previous_path: optional(text({ description: "what a moved file was called" })),
        content: optional(contentText({ maxLength: contentLengthMax })),
      }),
    ),
  ),
  file_name: optional(filePath()),
  content: optional(content()),
};

/** The parameters of the lists of personal snippets. */
export const ListSnippets = Type.Object({
  created_after: optional(dateTimeParameter()),
  created_before: optional(dateTimeParameter()),
});
export type ListSnippets = Static<typeof ListSnippets>;

export const ListAllSnippets = Type.Object({
  ...ListSnippets.properties,
  repository_storage: optional(text({ description: "for administrators: only those on this storage" })),
});
export type ListAllSnippets = Static<typeof ListAllSnippets>;

/** storage-moves 8: the program and address that a snippet came from. */
export const UserAgentDetail = Type.Object(
  { user_agent: Type.String(), ip_address: Type.String(), akismet_submitted: Type.Boolean() },
  { $id: "UserAgentDetail" },
);
