import { type TSchema, Type } from "@sinclair/typebox";
import {
  boolean,
  hash,
  idInPath,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  projectId,
  searchText,
  text,
} from "../../../domain/parameters.ts";
import type { StoredJson } from "../../../lib/text/stored-json.ts";
import { BasicUser } from "../../core/users/index.ts";
import { arrayOf } from "../../kernel/array-schema.ts";
import { alertSeverities } from "./payload/index.ts";
import { alertStatuses, integrationTypes } from "./records.ts";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const DateTime = Type.String({ format: "date-time" });
const oneIn = (values: readonly string[]) => Type.Union(values.map((value) => Type.Literal(value)));
const anyObject = () => Type.Record(Type.String(), Type.Unknown());

/** The answer of receivers (alerts A.2). */
export const ReceivedAlerts = Type.Array(Type.Object({ iid: Type.Integer(), title: Type.String() }));

export const AlertIntegration = Type.Object(
  {
    id: Type.Integer(),
    type: oneIn(integrationTypes),
    name: Type.String(),
    active: Type.Boolean(),
    endpoint_identifier: Type.String(),
    url: Type.String(),
    token: Type.String(),
    payload_example: Type.Unsafe<StoredJson>(anyObject()),
    payload_attribute_mappings: arrayOf(
      Type.Object({
        field_name: Type.String(),
        path: arrayOf(Type.Union([Type.String(), Type.Integer()])),
        type: Type.String(),
        label: Type.Optional(Type.String()),
      }),
    ),
    created_at: DateTime,
    updated_at: DateTime,
  },
  { $id: "AlertIntegration" },
);

const alertFields = {
  id: Type.Integer(),
  iid: Type.Integer(),
  project_id: Type.Integer(),
  title: Type.String(),
  description: orNull(Type.String()),
  severity: oneIn(alertSeverities),
  status: oneIn(alertStatuses),
  service: orNull(Type.String()),
  monitoring_tool: orNull(Type.String()),
  environment_name: orNull(Type.String()),
  runbook: orNull(Type.String()),
  hosts: arrayOf(Type.String()),
  environment: orNull(Type.Object({ id: Type.Integer(), name: Type.String() })),
  started_at: DateTime,
  ended_at: orNull(DateTime),
  event_count: Type.Integer(),
  fingerprint: orNull(Type.String()),
  assignees: Type.Array(BasicUser),
  issue_iid: orNull(Type.Integer()),
  integration_id: orNull(Type.Integer()),
  web_url: Type.String(),
  created_at: DateTime,
  updated_at: DateTime,
};

/** An entry of a list (alerts C). */
export const ListedAlert = Type.Object(alertFields, { $id: "ListedAlert" });

/** A single alert. */
export const Alert = Type.Object(
  {
    ...alertFields,
    payload: Type.Unsafe<StoredJson>(anyObject()),
    details: Type.Unsafe<StoredJson>(anyObject()),
    metric_query: orNull(Type.String()),
    y_label: orNull(Type.String()),
    incident_markdown: orNull(Type.String()),
  },
  { $id: "Alert" },
);

export const AlertCounts = Type.Object({
  all: Type.Integer(),
  open: Type.Integer(),
  triggered: Type.Integer(),
  acknowledged: Type.Integer(),
  resolved: Type.Integer(),
  ignored: Type.Integer(),
});

const filters = {
  severity: optional(list(oneOf(alertSeverities))),
  search: optional(searchText("part of the title, description, monitoring tool or service")),
  assignee_username: optional(text({ description: "a username, None, or Any" })),
  environment: optional(text({ description: "the whole name" })),
  iids: optional(list(integer(), { split: true })),
};

export const CountAlerts = Type.Object({ id: projectId(), ...filters });

export const ListAlerts = Type.Object({
  id: projectId(),
  status: optional(list(oneOf([...alertStatuses, "open"]))),
  ...filters,
  order_by: optional(
    oneOf(["started_at", "ended_at", "created_at", "updated_at", "event_count", "severity", "status"], {
      description: "started_at unless said",
    }),
  ),
  sort: optional(oneOf(["desc", "asc"], { description: "desc unless said" })),
});

export const AlertInPath = Type.Object({ id: projectId(), alert_iid: idInPath("iid of the alert") });

/** The attributes of an alert that a change can set; it has to set at least one. */
export const changeable = ["status", "assignee_id", "assignee_username"] as const;

export const ChangeAlert = Type.Object({
  ...AlertInPath.properties,
  status: optional(oneOf(alertStatuses)),
  assignee_id: optional(nullable(integer({ description: "0 clears" }))),
  assignee_username: optional(nullable(text({ description: "an empty one clears" }))),
});

/** A payload nests no deeper, and has fewer fields. */
const mappingsMax = 100;

const mapping = hash({
  field_name: text(),
  path: list(Type.Unknown(), { maxItems: mappingsMax }),
  type: oneOf(["string", "datetime", "array", "number"]),
  label: optional(nullable(text())),
});

const sample = {
  payload_example: optional(Type.Unknown({ tier: "premium", description: "premium; an object, or its JSON" })),
  payload_attribute_mappings: optional(
    list(mapping, { tier: "premium", maxItems: mappingsMax, description: "premium" }),
  ),
};

export const CreateIntegration = Type.Object({
  id: projectId(),
  name: text({ description: "1 to 255 characters" }),
  type: optional(oneOf(integrationTypes, { description: "http unless said" })),
  active: optional(boolean({ description: "true unless said" })),
  ...sample,
});

const inIntegration = { id: projectId(), integration_id: idInPath("id of the integration") };

export const IntegrationInPath = Type.Object(inIntegration);

export const ChangeIntegration = Type.Object({
  ...inIntegration,
  name: optional(nullable(text({ description: "1 to 255 characters" }))),
  type: optional(oneOf(integrationTypes)),
  active: optional(boolean()),
  ...sample,
});

export const SendTestAlert = Type.Object({
  ...inIntegration,
  payload: Type.Unknown({ description: "an object, or its JSON" }),
});

export const IncidentSettings = Type.Object(
  {
    create_issue: Type.Boolean(),
    auto_close_incident: Type.Boolean(),
    send_email: Type.Boolean(),
    issue_template_key: orNull(Type.String()),
  },
  { $id: "IncidentManagementSettings" },
);

export const changeableSettings = ["create_issue", "auto_close_incident", "send_email", "issue_template_key"] as const;

export const ChangeIncidentSettings = Type.Object({
  id: projectId(),
  create_issue: optional(boolean({ description: "an incident of each new alert; ultimate" })),
  auto_close_incident: optional(boolean({ description: "close the incident when the alert ends" })),
  send_email: optional(boolean({ description: "send mail to owners and maintainers" })),
  issue_template_key: optional(nullable(text())),
});

export const OnCall = Type.Object(
  { active: Type.Boolean(), api_url: orNull(Type.String()) },
  { $id: "OnCallIntegration" },
);

export const ChangeOnCall = Type.Object({
  id: projectId(),
  active: boolean(),
  api_url: optional(nullable(text({ description: "http or https; at most 255 characters" }))),
});
