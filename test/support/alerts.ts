import type { ProjectRecord } from "../../src/modules/core/namespaces/index.ts";
import { projectPathOf } from "../../src/modules/core/namespaces/index.ts";
import { type AlertRecord, alertPayloads, alerts } from "../../src/modules/monitoring/alerts/index.ts";
import { placesOf } from "./places.ts";
import { type Answer, type Json, rootToken, type World } from "./world.ts";

/** A private project with an integration, and short calls of both ends of it. */
export interface AlertScene {
  readonly project: ProjectRecord;
  /** `/projects/:id/alert_management_…` */
  readonly integrationsPath: string;
  readonly alertsPath: string;
  readonly integration: Json;
  /** Makes another integration. */
  integrate(attributes?: object): Promise<Json>;
  /** Sends a payload to the receiver of the first integration, or to another. */
  send(payload: unknown, options?: { to?: Json; key?: string; headers?: Record<string, string> }): Promise<Answer>;
  /** The details of an alert, as the administrator sees them. */
  alert(iid: number): Promise<Json>;
  /** Administrator's calls below the project. */
  ask(method: string, path: string, json?: object): Promise<Answer>;
}

/** The path of a URL. */
export function pathOf(url: string): string {
  return new URL(url).pathname;
}

export async function setAlertScene(world: World, attributes: object = {}): Promise<AlertScene> {
  const places = placesOf(world);
  const group = places.group();
  return alertSceneIn(world, places.project(places.group({ parent_id: group.id }).id), attributes);
}

export async function alertSceneIn(world: World, project: ProjectRecord, attributes: object = {}): Promise<AlertScene> {
  const base = `/projects/${project.id}`;
  const integrationsPath = `${base}/alert_management_http_integrations`;
  const alertsPath = `${base}/alert_management_alerts`;
  const ask: AlertScene["ask"] = (method, path, json) =>
    world.call(method, path.startsWith(base) ? path : `${base}${path}`, {
      token: rootToken,
      ...(json === undefined ? {} : { json }),
    });
  const integrate = async (given: object = {}) => {
    const { status, body, text } = await ask("POST", integrationsPath, { name: "Probe farm", ...given });
    if (status !== 201) throw new Error(`no integration: ${status} ${text}`);
    return body;
  };
  const integration = await integrate(attributes);
  return {
    project,
    integrationsPath,
    alertsPath,
    integration,
    integrate,
    ask,
    send: (payload, { to = integration, key = to.token, headers = {} } = {}) =>
      world.call("POST", pathOf(to.url), {
        raw: typeof payload === "string" ? payload : JSON.stringify(payload),
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}`, ...headers },
      }),
    alert: async (iid) => (await ask("GET", `${alertsPath}/${iid}`)).body,
  };
}

/** One item of a payload in the metrics format. */
export function metricsItem(attributes: object = {}): Json {
  return {
    status: "firing",
    labels: { alertname: "InstanceDown", instance: "db-3:9100", severity: "page" },
    annotations: { summary: "db-3 is down" },
    startsAt: "2024-02-03T04:05:06.789Z",
    endsAt: "0001-01-01T00:00:00Z",
    generatorURL: "http://prom:9090/graph?g0.expr=up+%3D%3D+0&g0.tab=1",
    fingerprint: "9f2b0c3d4e5f6071",
    ...attributes,
  };
}

/** A payload in the metrics format, as Alertmanager sends it. */
export function metricsPayload(items: readonly unknown[] = [metricsItem()], attributes: object = {}): Json {
  return {
    receiver: "outpost",
    status: "firing",
    alerts: items,
    groupLabels: { alertname: "InstanceDown" },
    commonLabels: { alertname: "InstanceDown" },
    commonAnnotations: {},
    externalURL: "http://am:9093",
    version: "4",
    groupKey: '{}:{alertname="InstanceDown"}',
    truncatedAlerts: 0,
    ...attributes,
  };
}

/** An alert straight in the store. */
export function putAlert(
  { store, clock }: Pick<World, "store" | "clock">,
  projectId: number,
  attributes: Partial<AlertRecord> = {},
): AlertRecord {
  return store.transact((tx) => {
    const alert = tx.insert(alerts, {
      id: tx.nextId("alerts"),
      iid: tx.nextId(`alerts of project ${projectId}`),
      project_id: projectId,
      title: "Disk almost full",
      description: null,
      severity: "high",
      status: "triggered",
      service: null,
      monitoring_tool: null,
      hosts: [],
      environment_name: null,
      runbook: null,
      started_at: clock.time(),
      ended_at: null,
      event_count: 1,
      fingerprint: null,
      assignee_id: null,
      issue_id: null,
      integration_id: null,
      metric_query: null,
      y_label: null,
      incident_markdown: null,
      created_at: clock.time(),
      updated_at: clock.time(),
      ...attributes,
    });
    tx.insert(alertPayloads, { id: alert.id, text: "{}" });
    return alert;
  });
}

/** The full path of a project. */
export function fullPath({ store }: World, project: ProjectRecord): string {
  return projectPathOf(store, project);
}
