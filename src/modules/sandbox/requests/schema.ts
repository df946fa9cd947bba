import { Type } from "@sinclair/typebox";
import {
  boolean,
  dateTime,
  integer,
  oneOf,
  optional,
  requestMethods,
  searchText,
  text,
} from "../../../domain/parameters.ts";

const message = {
  headers: Type.Array(
    Type.Object({
      name: Type.String({ description: "in lower case" }),
      value: Type.String({ description: "without secrets" }),
    }),
    { description: "headers in their order" },
  ),
  size: Type.Union([Type.Integer(), Type.Null()], { description: "bytes of the body; null: not known" }),
  body: Type.Union([Type.String(), Type.Null()], { description: "the first 64 KiB; null: there is none" }),
  is_base64: Type.Boolean({ description: "the body is no text, and is shown in Base64" }),
  is_cut: Type.Boolean({ description: "the body is longer than what is shown" }),
};

/** A request that the sandbox was asked, with its answer. */
export const RequestEntity = Type.Object(
  {
    id: Type.Integer({ description: "rises with each request since the start of the server" }),
    started_at: Type.String({ format: "date-time", description: "by the clock of the sandbox" }),
    duration_ms: Type.Number({ description: "until the first byte of the answer" }),
    method: Type.String({ description: "method of the request" }),
    url: Type.String({ description: "address with its query, without secrets" }),
    route: Type.Union([Type.String(), Type.Null()], { description: "path of the operation; null: there is none" }),
    status: Type.Integer({ description: "status of the answer" }),
    user: Type.Union([Type.String(), Type.Null()], { description: "username of the caller" }),
    request_id: Type.String({ description: "X-Request-Id of the answer" }),
    request: Type.Object(message, { description: "what the client sent" }),
    response: Type.Object(message, { description: "what the server answered" }),
  },
  { $id: "SandboxRequest" },
);

export const ListRequests = Type.Object({
  method: optional(oneOf(requestMethods, { description: "method of the request" })),
  route: optional(text({ minLength: 1, maxLength: 255, description: "path of an operation in the API reference" })),
  status: optional(integer({ minimum: 100, maximum: 599, description: "status of the answer" })),
  user: optional(text({ minLength: 1, maxLength: 255, description: "username of the caller" })),
  since: optional(dateTime({ description: "asked at this time or later, by the clock of the sandbox" })),
  contains: optional(searchText("a text in the address or in one of the bodies")),
  internal: optional(boolean({ description: "also calls of the console and below /-/; default false" })),
  format: optional(oneOf(["json", "har"], { description: "har: one HTTP Archive 1.2 with all of them, oldest first" })),
});
