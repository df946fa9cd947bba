import { defineArea, type Reference, type Scenario } from "../../scenario.ts";
import { listWith, pathOf, someText, text } from "../../values.ts";
import { makeProject } from "../common.ts";

export const alerts = defineArea("alerts", (scenario) => {
  const project = makeProject(scenario, "alerts");
  const id = project.get("id");
  receive(scenario, id, project.get("path_with_namespace"));
  handleAlerts(scenario, id);
  const settings = "/projects/:id/incident_management_settings";
  scenario.call(`GET ${settings}`, { id });
  scenario.call(`PUT ${settings}`, { id }, { json: { send_email: false }, expect: { send_email: false } });
  const onCall = "/projects/:id/alert_management_on_call_integration";
  scenario.call(`PUT ${onCall}`, { id }, { json: { active: false }, expect: { active: false } });
  scenario.call(`GET ${onCall}`, { id }, { expect: { active: false } });
  scenario.call(`DELETE ${onCall}`, { id });
});

function receive(scenario: Scenario, id: Reference, project_path: Reference): void {
  const base = "/projects/:id/alert_management_http_integrations";
  const http = scenario.call(
    `POST ${base}`,
    { id },
    {
      json: { name: "Roof station", type: "http", active: true },
      expect: { name: "Roof station", token: someText, url: someText },
    },
  );
  const one = { id, integration_id: http.get("id") };
  scenario.call(`GET ${base}`, { id }, { expect: listWith({ id: http.get("id") }) });
  scenario.call(`GET ${base}/:integration_id`, one, { expect: { name: "Roof station" } });
  scenario.call(`PUT ${base}/:integration_id`, one, { json: { name: "Roof" }, expect: { name: "Roof" } });
  const reset = scenario.call(`POST ${base}/:integration_id/reset_token`, one, { expect: { token: someText } });
  const json = { title: "The station is silent" };
  scenario.call(`POST ${base}/:integration_id/test_alert`, one, { json: { payload: json } });
  const headers = { Authorization: text`Bearer ${reset.get("token")}` };
  scenario.call("POST /*project_path/alerts/notify/:name/:endpoint_identifier", pathOf(http.get("url")), {
    as: "anonymous",
    headers,
    json,
  });
  scenario.call("POST /*project_path/alerts/notify/:name/:endpoint_identifier", pathOf(http.get("url")), {
    as: "anonymous",
    headers: { Authorization: "Bearer wrong" },
    json,
    status: 401,
  });
  scenario.call("POST /*project_path/alerts/notify", text`/${project_path}/alerts/notify.json`, {
    as: "anonymous",
    headers,
    json,
  });
  const prometheus = scenario.call(
    `POST ${base}`,
    { id },
    { json: { name: "Prometheus", type: "prometheus", active: true } },
  );
  scenario.call("POST /*project_path/prometheus/alerts/notify", text`/${project_path}/prometheus/alerts/notify.json`, {
    as: "anonymous",
    headers: { Authorization: text`Bearer ${prometheus.get("token")}` },
    json: {
      version: "4",
      status: "firing",
      alerts: [{ status: "firing", annotations: { title: "No rain" }, labels: {}, startsAt: new Date().toISOString() }],
    },
  });
  scenario.call(`DELETE ${base}/:integration_id`, { id, integration_id: prometheus.get("id") });
}

function handleAlerts(scenario: Scenario, id: Reference): void {
  const base = "/projects/:id/alert_management_alerts";
  const list = scenario.call(
    `GET ${base}`,
    { id },
    { expect: listWith({ title: "The station is silent" }), waits: true },
  );
  const one = { id, alert_iid: list.get("0.iid") };
  scenario.call(`GET ${base}/status_counts`, { id });
  scenario.call(`GET ${base}/:alert_iid`, one);
  scenario.call(`PUT ${base}/:alert_iid`, one, {
    json: { status: "acknowledged" },
    expect: { status: "acknowledged" },
  });
  scenario.call(`POST ${base}/:alert_iid/incident`, one);
}
