import type { SampleScene, Samples } from "../../kernel/sample.ts";

const integrations = "/projects/:id/alert_management_http_integrations";
const alerts = "/projects/:id/alert_management_alerts";
const onCall = "/projects/:id/alert_management_on_call_integration";

/** Sends an alert with the token of a new integration. */
const send =
  (type: "http" | "prometheus", end?: string) =>
  async ({ call, fresh, place }: SampleScene) => {
    const made = await call(`POST ${integrations}`, { json: { name: fresh(), type, active: true } });
    return {
      address: end === undefined ? made.pathAt("url") : `/${place.projectPath}${end}`,
      json: { title: fresh() },
      headers: { Authorization: `Bearer ${made.get("token")}` },
    };
  };
const onAlert = async ({ call }: SampleScene) => {
  await call("POST /*project_path/alerts/notify/:name/:endpoint_identifier");
  return { path: { alert_iid: (await call(`GET ${alerts}`)).get("0.iid") } };
};

export const alertSamples: Samples = {
  "POST /*project_path/alerts/notify/:name/:endpoint_identifier": send("http"),
  "POST /*project_path/alerts/notify": send("http", "/alerts/notify.json"),
  "POST /*project_path/prometheus/alerts/notify": send("prometheus", "/prometheus/alerts/notify"),
  [`POST ${integrations}`]: { json: { name: "Roof station", type: "http", active: true } },
  [`PUT ${integrations}/:integration_id`]: { json: { name: "Roof" } },
  [`POST ${integrations}/:integration_id/test_alert`]: { json: { payload: { title: "The station is silent" } } },
  [`GET ${alerts}/:alert_iid`]: onAlert,
  [`PUT ${alerts}/:alert_iid`]: { json: { status: "acknowledged" }, make: onAlert },
  [`POST ${alerts}/:alert_iid/incident`]: onAlert,
  "PUT /projects/:id/incident_management_settings": { json: { send_email: false } },
  [`PUT ${onCall}`]: { json: { active: false } },
  [`DELETE ${onCall}`]: { after: [`PUT ${onCall}`] },
};
