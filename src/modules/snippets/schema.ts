import { Type } from "@sinclair/typebox";
import { oneOf } from "../../domain/parameters.ts";
import { visibilities } from "../../domain/visibility.ts";

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
