import { Type } from "@sinclair/typebox";
import { integer, oneOf, optional, searchText } from "../../../domain/parameters.ts";

const nullable = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(
  schema: T,
  description: string,
) => Type.Union([schema, Type.Null()], { description });

const listed = {
  id: Type.Integer({ description: "counted from 1 since the start of the server" }),
  at: Type.String({ format: "date-time", description: "when it was answered" }),
  request_id: Type.String({ description: "as in the header `X-Request-Id` and the log" }),
  method: Type.String(),
  route: nullable(Type.String(), "the operation's pattern; null: no operation answered"),
  path: Type.String({ description: "without the query; what may be a token is left out" }),
  status: Type.Integer(),
  duration_ms: Type.Number({ description: "from its first byte to the answer" }),
  username: nullable(Type.String(), "of the owner of the token or session; null for an anonymous caller"),
};

/** A request that was answered. Never the value of a parameter, a token or a body. */
export const RecentRequest = Type.Object(listed, { $id: "RecentRequest" });

/** The same with what the server remembers besides. */
export const RecentRequestDetails = Type.Object(
  {
    ...listed,
    user_id: nullable(Type.Integer(), "null for an anonymous caller"),
    parameters: Type.Array(
      Type.Object({ name: Type.String(), in: oneOf(["path", "query", "body"], { description: "where it was sent" }) }),
      { description: "names without values; at most 50 of the body" },
    ),
    request_bytes: nullable(Type.Integer(), "the body; null: it had none, or did not say its length"),
    response_bytes: nullable(Type.Integer(), "the body of the answer; null: it was sent as a stream"),
    refusal: nullable(Type.String(), "why it was refused, as the answer said; null: it was not"),
    explanation: nullable(
      Type.String(),
      "for 403 and 404: what the rules and the roles of the user, as they are now, say about such a call",
    ),
  },
  { $id: "RecentRequestDetails" },
);

export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export const statusClasses = ["2xx", "3xx", "4xx", "5xx"] as const;

export const ListRecentRequests = Type.Object({
  method: optional(oneOf(methods)),
  status: optional(oneOf(statusClasses, { description: "the class of the status" })),
  search: optional(searchText("a part of the path, the route, the username or the request id")),
  id_before: optional(integer({ minimum: 1, description: "requests that came before this one" })),
  limit: optional(integer({ minimum: 1, maximum: 2_000, description: "100 unless given" })),
});
