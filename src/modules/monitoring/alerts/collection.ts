import type { DateTime } from "../../../lib/datetime.ts";
import { bitmap, collection, multi, ordered, text, unique } from "../../../store/index.ts";
import type { AlertSeverity, Mapping } from "./payload/index.ts";

export const alertStatuses = ["triggered", "acknowledged", "resolved", "ignored"] as const;
export type AlertStatus = (typeof alertStatuses)[number];

/** Something that a tool reported, however often (alerts C). Fields are named as on the wire. */
export interface AlertRecord {
  readonly id: number;
  /** From 1 in each project. */
  readonly iid: number;
  readonly project_id: number;
  readonly title: string;
  readonly description: string | null;
  readonly severity: AlertSeverity;
  readonly status: AlertStatus;
  readonly service: string | null;
  readonly monitoring_tool: string | null;
  readonly hosts: readonly string[];
  readonly environment_name: string | null;
  readonly runbook: string | null;
  readonly started_at: DateTime;
  readonly ended_at: DateTime | null;
  readonly event_count: number;
  readonly fingerprint: string | null;
  readonly assignee_id: number | null;
  /** May be of one that is gone: then there is none. */
  readonly issue_id: number | null;
  /** May be of one that is gone: then there is none. */
  readonly integration_id: number | null;
  readonly metric_query: string | null;
  readonly y_label: string | null;
  readonly incident_markdown: string | null;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
}

/** In the place of the id of somebody who is not there. */
export const nobody = 0;

/** The most critical first when falling. */
const severityRanks: Readonly<Record<AlertSeverity, number>> = {
  critical: 5,
  high: 4,
  medium: 3,
  low: 2,
  info: 1,
  unknown: 0,
};

/** What is most urgent first when falling. */
const statusRanks: Readonly<Record<AlertStatus, number>> = { triggered: 3, acknowledged: 2, resolved: 1, ignored: 0 };

export const alerts = collection<AlertRecord>()("alerts", {
  iid: unique((alert) => alertKey(alert.project_id, alert.iid)),
  number: bitmap((alert) => [alert.iid]),
  project_id: bitmap((alert) => [alert.project_id]),
  status: bitmap((alert) => [alert.status]),
  severity_name: bitmap((alert) => [alert.severity]),
  assignee_id: bitmap((alert) => [alert.assignee_id ?? nobody]),
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
});

/** A number or a fingerprint within a project. */
export function alertKey(projectId: number, within: number | string): string {
  return `${projectId}/${within}`;
}

/** What an alert was made of; of the alert's id. Beside it, since each further occurrence writes the alert anew. */
export interface AlertPayloadRecord {
  readonly id: number;
  /** JSON; left out where it is a blob. */
  readonly text?: string;
  /** Hash of a blob with the JSON. */
  readonly blob?: string;
}

export const alertPayloads = collection<AlertPayloadRecord>()(
  "alert-payloads",
  {},
  { blobsOf: ({ blob }) => (blob === undefined ? [] : [blob]) },
);

export const integrationTypes = ["http", "prometheus"] as const;
export type IntegrationType = (typeof integrationTypes)[number];

/** An address that tools send alerts to, and its key (alerts B). Fields are named as on the wire. */
export interface AlertIntegrationRecord {
  readonly id: number;
  readonly project_id: number;
  readonly type: IntegrationType;
  readonly name: string;
  /** As it was set; see `isActive`. */
  readonly active: boolean;
  /** 16 hex digits. */
  readonly endpoint_identifier: string;
  /** 32 hex digits. Maintainers read it at any time, so it is kept as it is. */
  readonly token: string;
  /** JSON of an object. */
  readonly payload_example: string;
  readonly payload_attribute_mappings: readonly Mapping[];
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
}

export const alertIntegrations = collection<AlertIntegrationRecord>()("alert-integrations", {
  project_id: multi((integration) => [integration.project_id]),
  endpoint: unique((integration) => integration.endpoint_identifier),
  id: ordered((integration) => integration.id),
});

/** What a project says of its alerts (alerts D and E); of the project's id, and there only once something was said. */
export interface AlertSettingsRecord {
  readonly id: number;
  readonly create_issue: boolean;
  readonly auto_close_incident: boolean;
  readonly send_email: boolean;
  readonly issue_template_key: string | null;
  /** null: never said, or deleted. */
  readonly on_call: { readonly active: boolean; readonly api_url: string | null; readonly updated_at: DateTime } | null;
}

export const alertSettings = collection<AlertSettingsRecord>()("alert-settings", {});
