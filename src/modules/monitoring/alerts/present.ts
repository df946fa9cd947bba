import type { Static } from "@sinclair/typebox";
import { StoredJson } from "../../../lib/text/stored-json.ts";
import { findUser, presentBasicUser } from "../../core/users/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { View } from "../../kernel/view.ts";
import { isActive } from "./integrations/service.ts";
import { flatten, readPayload } from "./payload/index.ts";
import { payloadTextOf } from "./receiving/stored-payloads.ts";
import { type AlertIntegrationRecord, type AlertRecord, alertIntegrations } from "./records.ts";
import type { Alert, AlertIntegration, ListedAlert } from "./schema.ts";
import { incidentOf } from "./service-incidents.ts";
import { alertUrl, receiverUrl } from "./urls.ts";

/** alerts B. */
export function presentIntegration(
  integration: AlertIntegrationRecord,
  { context, baseUrl }: View,
  { project }: { readonly project: ProjectRecord },
): Static<typeof AlertIntegration> {
  const { id, type, name, endpoint_identifier, token, payload_example, created_at, updated_at } = integration;
  return {
    id,
    type,
    name,
    active: isActive(context, project, integration),
    endpoint_identifier,
    url: receiverUrl(context.store, project, integration, baseUrl),
    token,
    payload_example: new StoredJson(payload_example),
    payload_attribute_mappings: integration.payload_attribute_mappings,
    created_at,
    updated_at,
  };
}

/** An entry of a list (alerts C). */
export function presentAlert(
  alert: AlertRecord,
  view: View,
  { project }: { readonly project: ProjectRecord },
): Static<typeof ListedAlert> {
  const { context, baseUrl } = view;
  const { store } = context;
  const { integration_id, assignee_id } = alert;
  const isIntegrationThere = integration_id !== null && store.of(alertIntegrations).get(integration_id) !== undefined;
  const assignee = assignee_id === null ? undefined : findUser(store, assignee_id);
  return {
    id: alert.id,
    iid: alert.iid,
    project_id: alert.project_id,
    title: alert.title,
    description: alert.description,
    severity: alert.severity,
    status: alert.status,
    service: alert.service,
    monitoring_tool: alert.monitoring_tool,
    environment_name: alert.environment_name,
    runbook: alert.runbook,
    hosts: alert.hosts,
    environment: null,
    started_at: alert.started_at,
    ended_at: alert.ended_at,
    event_count: alert.event_count,
    fingerprint: alert.fingerprint,
    assignees: assignee === undefined ? [] : [presentBasicUser(assignee, view)],
    issue_iid: incidentOf(context, alert)?.iid ?? null,
    integration_id: isIntegrationThere ? integration_id : null,
    web_url: alertUrl(store, project, alert, baseUrl),
    created_at: alert.created_at,
    updated_at: alert.updated_at,
  };
}

/** A single alert, with what it was made of. Throws `OverBudget`. */
export function presentAlertDetails(
  alert: AlertRecord,
  view: View,
  { project }: { readonly project: ProjectRecord },
): Static<typeof Alert> {
  const { context } = view;
  const payload = payloadTextOf(context, alert);
  // Made by definition, so that a key such as `__proto__` is one among others.
  const details = Object.fromEntries(flatten(readPayload(Buffer.from(payload)) ?? {}));
  return {
    ...presentAlert(alert, view, { project }),
    // As texts: the objects of a payload with many keys take many times the memory until the answer is taken.
    payload: new StoredJson(payload),
    details: new StoredJson(JSON.stringify(details)),
    metric_query: alert.metric_query,
    y_label: alert.y_label,
    incident_markdown: alert.incident_markdown,
  };
}
