import { type Static, Type } from "@sinclair/typebox";
import { boolean, idInPath, oneOf, optional, projectId, searchText, text } from "../../../domain/parameters.ts";
import type { StoredJson } from "../../../lib/text/stored-json.ts";
import { arrayOf } from "../../kernel/array-schema.ts";
import { errorStatuses } from "./records.ts";

const nullableText = () => Type.Union([Type.String(), Type.Null()]);
const dateTime = () => Type.String({ format: "date-time" });

/** error-tracking A; `sentry_external_url` is the branded name of `tracker_external_url`. */
export const ErrorTrackingSettings = Type.Object(
  {
    active: Type.Boolean(),
    project_name: nullableText(),
    tracker_external_url: nullableText(),
    sentry_external_url: nullableText(),
    api_url: nullableText(),
    integrated: Type.Boolean(),
  },
  { $id: "ErrorTrackingSettings" },
);

/** error-tracking B. */
export const ClientKey = Type.Object(
  { id: Type.Integer(), active: Type.Boolean(), public_key: Type.String(), sentry_dsn: Type.String() },
  { $id: "ErrorTrackingClientKey" },
);

const errorFields = {
  id: Type.Integer(),
  project_id: Type.Integer(),
  title: Type.String(),
  type: Type.String(),
  message: Type.String(),
  culprit: Type.String(),
  platform: nullableText(),
  status: Type.Union(errorStatuses.map((status) => Type.Literal(status))),
  count: Type.Integer(),
  user_count: Type.Integer(),
  first_seen: dateTime(),
  last_seen: dateTime(),
  external_url: Type.String(),
};

/** error-tracking D. */
export const TrackedError = Type.Object(errorFields, { $id: "TrackedError" });

export const TrackedErrorDetails = Type.Object({
  ...errorFields,
  integrated: Type.Literal(true),
  first_release_version: nullableText(),
  last_release_version: nullableText(),
  tags: Type.Object({ level: nullableText(), logger: nullableText() }),
});

const StackTraceEntry = Type.Object({
  lineNo: Type.Union([Type.Number(), Type.Null()]),
  colNo: Type.Literal(0),
  filename: nullableText(),
  abs_path: nullableText(),
  function: nullableText(),
  context: arrayOf(Type.Unsafe<readonly [number, string]>(Type.Tuple([Type.Number(), Type.String()]))),
});

/** error-tracking D. */
export const ErrorEvent = Type.Object(
  {
    id: Type.Integer(),
    error_id: Type.Integer(),
    description: Type.String(),
    environment: nullableText(),
    level: nullableText(),
    release: nullableText(),
    date_received: dateTime(),
    stack_trace_entries: Type.Array(StackTraceEntry),
    payload: Type.Unsafe<StoredJson>(Type.Record(Type.String(), Type.Unknown())),
  },
  { $id: "ErrorTrackingEvent" },
);

export const InProject = Type.Object({ id: projectId() });

export const PutSettings = Type.Object({
  id: projectId(),
  active: boolean({ allowBlank: false }),
  integrated: boolean({ description: "with the collector of this server, the only one there is" }),
});

export const PatchSettings = Type.Object({
  id: projectId(),
  active: boolean({ allowBlank: false }),
  integrated: optional(boolean()),
});

export const KeyInPath = Type.Object({ id: projectId(), key_id: text({ description: "id of the client key" }) });

/** error-tracking C. */
export const Report = Type.Object({
  id: projectId(),
  sentry_key: optional(text({ description: "the public key, where no header `X-Sentry-Auth` has it" })),
});

const errorSorts = ["last_seen", "first_seen", "frequency"] as const;

export const ListErrors = Type.Object({
  id: projectId(),
  status: optional(oneOf([...errorStatuses, "all"], { description: "unresolved" })),
  sort: optional(oneOf(errorSorts, { description: "last_seen; the highest first" })),
  query: optional(searchText("part of the name, description or actor")),
});
export type ListErrors = Static<typeof ListErrors>;

const inError = { id: projectId(), error_id: idInPath("error id") };
export const ErrorInPath = Type.Object(inError);
export const UpdateError = Type.Object({ ...inError, status: oneOf(errorStatuses) });
