import { Type } from "@sinclair/typebox";
import { oneOf, optional, requestMethods, text } from "../../../domain/parameters.ts";

/** A request that the server has answered: no value of a parameter, of a token or of a body. */
export const RecentRequestEntity = Type.Object(
  {
    id: Type.Integer({ description: "rises with each request since the start of the server" }),
    answered_at: Type.String({ format: "date-time", description: "time of the answer" }),
    duration_ms: Type.Number({ description: "until the first byte of the answer" }),
    method: Type.String({ description: "method of the request" }),
    path: Type.String({ description: "path of the request; what may be a token is left out" }),
    route: Type.Union([Type.String(), Type.Null()], { description: "path of the operation; null: there is none" }),
    status: Type.Integer({ description: "status of the answer" }),
    user: Type.Union([Type.String(), Type.Null()], { description: "username of the caller" }),
    request_id: Type.String({ description: "X-Request-Id of the answer" }),
    parameters: Type.Array(Type.String(), { description: "names in the query and in the body, at most 50" }),
    size: Type.Integer({ description: "bytes of the body" }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: "why the request was refused, by the rights of now; null: it was not",
    }),
  },
  { $id: "RecentRequest" },
);

export const ListRecentRequests = Type.Object({
  method: optional(oneOf(requestMethods, { description: "method of the request" })),
  route: optional(text({ minLength: 1, maxLength: 255, description: "path of an operation in the API reference" })),
  status: optional(oneOf(["2xx", "3xx", "4xx", "5xx"], { description: "class of the status" })),
  user: optional(text({ minLength: 1, maxLength: 255, description: "username of the caller" })),
});
