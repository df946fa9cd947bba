import {
  bitmap,
  collection,
  type Field,
  field,
  multi,
  ordered,
  type RecordOf,
  record,
  sum,
  text,
  unique,
} from "../../../store/index.ts";
import type { StorageOwner } from "../../kernel/storage-quotas.ts";
import { type AlertSeverity, alertSeverities, type FieldMapping, mappedFields } from "./payload/index.ts";

export const alertStatuses = ["triggered", "acknowledged", "resolved", "ignored"] as const;
export type AlertStatus = (typeof alertStatuses)[number];

/** Something that a tool reported, however often (alerts C). Fields are named as on the wire. */
export const AlertRecord = record({
  id: field.whole,
  /** Counts from 1 in each project. */
  iid: field.whole,
  project_id: field.whole,
  title: field.text,
  description: field.nullable(field.text),
  severity: field.oneOf(...alertSeverities),
  status: field.oneOf(...alertStatuses),
  service: field.nullable(field.text),
  monitoring_tool: field.nullable(field.text),
  hosts: field.listOf(field.text),
  environment_name: field.nullable(field.text),
  runbook: field.nullable(field.text),
  started_at: field.moment,
  ended_at: field.nullable(field.moment),
  event_count: field.whole,
  fingerprint: field.nullable(field.text),
  assignee_id: field.nullable(field.whole),
  /** May name a deleted one, which then counts as none. */
  issue_id: field.nullable(field.whole),
  /** May name a deleted one, which then counts as none. */
  integration_id: field.nullable(field.whole),
  metric_query: field.nullable(field.text),
  y_label: field.nullable(field.text),
  incident_markdown: field.nullable(field.text),
  created_at: field.moment,
  updated_at: field.moment,
});
export type AlertRecord = RecordOf<typeof AlertRecord>;

/** The key of alerts that have no user in this role. */
export const unassigned = 0;

/** The most critical first when falling. */
const severityRanks: Readonly<Record<AlertSeverity, number>> = {
  critical: 5,
  high: 4,
  medium: 3,
  low: 2,
  info: 1,
  unknown: 0,
};

/** Descending order puts the most urgent status first. */
const statusRanks: Readonly<Record<AlertStatus, number>> = { triggered: 3, acknowledged: 2, resolved: 1, ignored: 0 };

export const alerts = collection("alerts", AlertRecord, {
  indexes: {
    iid: unique((alert) => alertKey(alert.project_id, alert.iid)),
    number: bitmap((alert) => [alert.iid]),
    project_id: bitmap((alert) => [alert.project_id]),
    status: bitmap((alert) => [alert.status]),
    severity_name: bitmap((alert) => [alert.severity]),
    assignee_id: bitmap((alert) => [alert.assignee_id ?? unassigned]),
    environment_name: multi((alert) => (alert.environment_name === null ? [] : [alert.environment_name])),
    issue_id: multi((alert) => (alert.issue_id === null ? [] : [alert.issue_id])),
    /** One alert of an identity is open at a time. */
    open_identity: unique((alert) =>
      alert.status === "resolved" || alert.fingerprint === null
        ? undefined
        : alertKey(alert.project_id, alert.fingerprint),
    ),
    started_at: ordered((alert) => alert.started_at),
    ended_at: ordered((alert) => alert.ended_at ?? ""),
    created_at: ordered((alert) => alert.created_at),
    updated_at: ordered((alert) => alert.updated_at),
    event_count: ordered((alert) => alert.event_count),
    severity: ordered((alert) => severityRanks[alert.severity]),
    status_order: ordered((alert) => statusRanks[alert.status]),
    words: text({
      title: (alert) => alert.title,
      description: (alert) => alert.description ?? "",
      monitoring_tool: (alert) => alert.monitoring_tool ?? "",
      service: (alert) => alert.service ?? "",
    }),
  },
  iidSequence: ({ project_id }) => `alerts of project ${project_id}`,
  references: { project_id: "projects" },
});

/** A number or a fingerprint within a project. */
export function alertKey(projectId: number, within: number | string): string {
  return `${projectId}/${within}`;
}

/** The payload of an alert; of the same id. Separate, because each further occurrence rewrites the alert's record. */
export const AlertPayloadRecord = record({
  id: field.whole,
  /** JSON; left out where it is a blob. */
  text: field.optional(field.text),
  /** Hash of a blob with the JSON. */
  blob: field.optional(field.text),
  /** Bytes of the blob, and the project whose storage it takes up; left out for a text. */
  size: field.optional(field.whole),
  project_id: field.optional(field.whole),
});
export type AlertPayloadRecord = RecordOf<typeof AlertPayloadRecord>;

export const alertPayloads = collection("alert-payloads", AlertPayloadRecord, {
  indexes: {
    storage: sum(({ project_id, size }) =>
      project_id === undefined || size === undefined
        ? undefined
        : [`project ${project_id}` satisfies StorageOwner, size],
    ),
  },
  blobsOf: ({ blob }) => (blob === undefined ? [] : [blob]),
  sequence: undefined,
});

export const integrationTypes = ["http", "prometheus"] as const;
export type IntegrationType = (typeof integrationTypes)[number];

const mapping: Field<FieldMapping> = field.object({
  field_name: field.oneOf(...mappedFields),
  path: field.listOf(field.either(field.text, field.whole)),
  type: field.oneOf("string", "datetime", "array", "number"),
  label: field.optional(field.text),
});

/** An address that tools send alerts to, and its key (alerts B). Fields are named as on the wire. */
export const AlertIntegrationRecord = record({
  id: field.whole,
  project_id: field.whole,
  type: field.oneOf(...integrationTypes),
  name: field.text,
  /** The value that was set; see `isActive`. */
  active: field.flag,
  /** 16 hex digits. */
  endpoint_identifier: field.text,
  /** 32 hex digits. Maintainers read it at any time, so it is stored as it is. */
  token: field.text,
  /** JSON of an object. */
  payload_example: field.text,
  payload_attribute_mappings: field.listOf(mapping),
  created_at: field.moment,
  updated_at: field.moment,
});
export type AlertIntegrationRecord = RecordOf<typeof AlertIntegrationRecord>;

export const alertIntegrations = collection("alert-integrations", AlertIntegrationRecord, {
  indexes: {
    project_id: multi((integration) => [integration.project_id]),
    endpoint: unique((integration) => integration.endpoint_identifier),
    id: ordered((integration) => integration.id),
  },
  secrets: { token: "renew" },
  references: { project_id: "projects" },
});

/** The alert settings of a project (alerts D and E); of the project's id. No record exists before the first change. */
export const AlertSettingsRecord = record({
  id: field.whole,
  create_issue: field.flag,
  auto_close_incident: field.flag,
  send_email: field.flag,
  issue_template_key: field.nullable(field.text),
  /** null: never said, or deleted. */
  on_call: field.nullable(
    field.object({ active: field.flag, api_url: field.nullable(field.text), updated_at: field.moment }),
  ),
});
export type AlertSettingsRecord = RecordOf<typeof AlertSettingsRecord>;

export const alertSettings = collection("alert-settings", AlertSettingsRecord, {
  secrets: { issue_template_key: "public" },
  sequence: undefined,
});
