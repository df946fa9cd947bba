import { Type } from "@sinclair/typebox";
import {
  boolean,
  float,
  hash,
  idInPath,
  integer,
  oneOf,
  optional,
  type ParameterOptions,
  requestMethods,
  text,
} from "../../../domain/parameters.ts";

/** As in `Prefer`, which counts in seconds. */
const waitMsMax = 60_000;
const countMax = 1_000_000;
const bytesMax = 2 ** 30;

const match = {
  method: optional(oneOf(requestMethods)),
  route: optional(text({ minLength: 1, maxLength: 255, description: "path of an operation in the API reference" })),
  path: optional(text({ minLength: 1, description: "path of the request without its query; * stands for any text" })),
  user: optional(text({ minLength: 1, maxLength: 255, description: "username of the caller, or of the one in sudo" })),
  header: optional(text({ minLength: 1, description: "name of a header, or name and value: `X-Worker: 3`" })),
};

const effect = {
  wait_ms: optional(integer({ minimum: 0, maximum: waitMsMax, description: "milliseconds to wait first" })),
  jitter_ms: optional(
    integer({ minimum: 0, maximum: waitMsMax, description: "waits a random time up to this many milliseconds more" }),
  ),
  code: optional(integer({ minimum: 400, maximum: 599, description: "status to answer, and nothing is done" })),
  drop: optional(boolean({ description: "closes the connection, and nothing is done" })),
  apply_then_drop: optional(boolean({ description: "does what is asked, then closes the connection" })),
  truncate_after: optional(
    integer({ minimum: 0, maximum: bytesMax, description: "bytes of the body to send before the connection closes" }),
  ),
  bytes_per_second: optional(integer({ minimum: 1, maximum: bytesMax, description: "pace of the body" })),
};

/** A rule by which requests to the sandbox fail. */
export const FaultEntity = Type.Object(
  {
    id: Type.Integer(),
    match: Type.Object(match, { description: "what a request has to have, all of it" }),
    effect: Type.Object(effect, { description: "what happens to the request" }),
    times: Type.Union([Type.Integer(), Type.Null()], { description: "requests to hit; null: any number" }),
    probability: Type.Number({ description: "share of the fitting requests that are hit" }),
    after: Type.Integer({ description: "fitting requests that pass first" }),
    fitted: Type.Integer({ description: "requests that have fitted so far" }),
    hits: Type.Integer({ description: "requests that were hit so far" }),
    created_at: Type.String({ format: "date-time" }),
  },
  { $id: "SandboxFault" },
);

const closed = { refusesUnknown: true } satisfies ParameterOptions;

export const CreateFault = Type.Object(
  {
    match: optional(
      hash(match, { ...closed, description: "what a request has to have, all of it; without it every request fits" }),
    ),
    effect: hash(effect, { ...closed, description: "what happens to the request" }),
    times: optional(integer({ minimum: 1, maximum: countMax, description: "requests to hit; without it any number" })),
    probability: optional(float({ minimum: 0, maximum: 1, description: "share of the fitting requests to hit" })),
    after: optional(integer({ minimum: 0, maximum: countMax, description: "fitting requests that pass first" })),
  },
  closed,
);

export const FaultParams = Type.Object({ id: idInPath("number of the rule") });
