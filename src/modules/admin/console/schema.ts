import { Type } from "@sinclair/typebox";
import { boolean, integer, optional } from "../../../domain/parameters.ts";

const milliseconds = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

/** The requests of one period of some seconds. */
export const RequestFigures = Type.Object(
  {
    at: Type.String({ format: "date-time", description: "the end of the period" }),
    requests_per_second: Type.Number({ description: "all answers" }),
    server_errors_per_second: Type.Number({ description: "answers with 5xx" }),
    p50_ms: milliseconds("half of the requests took at most so long; null: there was none"),
    p99_ms: milliseconds("99 of 100 requests took at most so long; null: there was none"),
  },
  { $id: "RequestFigures" },
);

export const FollowEvents = Type.Object({
  seconds: optional(integer({ minimum: 0, maximum: 86_400, description: "end after so long; left out: never" })),
  requests: optional(
    boolean({ description: "send the event `requests` too: answered requests, as /-/requests has them" }),
  ),
});
