import { projects } from "../../../src/modules/groups-and-projects/projects/records.ts";
import { alertSceneIn, pathOf, putAlert } from "../../support/fixtures/alerts.ts";
import { rootToken } from "../../support/fixtures/world.ts";
import type { MakeSample, Place, Samples, Scene } from "./scene.ts";

export function alertSamples({ world, fresh }: Scene): Samples {
  const sceneOf = (place: Place, attributes: object = {}) => {
    const project = world.store.of(projects).get(place.projectId);
    if (project === undefined) throw new Error("no project");
    return alertSceneIn(world, project, attributes);
  };
  const base = "/projects/:id/alert_management_http_integrations";
  const onIntegration =
    (suffix = "", json?: object): MakeSample =>
    async (_, place) => {
      const { integrationsPath, integration } = await sceneOf(place);
      const path = `${integrationsPath}/${integration.id}${suffix}`;
      return { path, ...(json === undefined ? {} : { options: { json } }) };
    };
  const onAlert =
    (suffix = "", json?: object): MakeSample =>
    (_, place) => {
      const { iid } = putAlert(world, place.projectId);
      const path = `/projects/${place.projectId}/alert_management_alerts/${iid}${suffix}`;
      return { path, ...(json === undefined ? {} : { options: { json } }) };
    };
  const onProject =
    (resource: string, json?: object): MakeSample =>
    (_, { projectId }) => ({
      path: `/projects/${projectId}/${resource}`,
      ...(json === undefined ? {} : { options: { json } }),
    });
  const receiver =
    (type: string, rest?: string): MakeSample =>
    async (_, place) => {
      const { integration } = await sceneOf(place, { type });
      const path = pathOf(integration.url);
      return {
        path: rest === undefined ? path : path.replace(/\/alerts\/notify\/.*$/, rest),
        options: { json: { title: fresh() }, headers: { Authorization: `Bearer ${integration.token}` } },
      };
    };
  const alerts = "/projects/:id/alert_management_alerts";
  const incidents = "incident_management_settings";
  const onCall = "alert_management_on_call_integration";
  return {
    "POST /*project_path/alerts/notify/:name/:endpoint_identifier": receiver("http"),
    "POST /*project_path/alerts/notify": receiver("http", "/alerts/notify.json"),
    "POST /*project_path/prometheus/alerts/notify": receiver("prometheus", "/prometheus/alerts/notify"),
    [`GET ${base}`]: onProject("alert_management_http_integrations"),
    [`POST ${base}`]: onProject("alert_management_http_integrations", { name: "x" }),
    [`GET ${base}/:integration_id`]: onIntegration(),
    [`PUT ${base}/:integration_id`]: onIntegration("", { name: "y" }),
    [`DELETE ${base}/:integration_id`]: onIntegration(),
    [`POST ${base}/:integration_id/reset_token`]: onIntegration("/reset_token"),
    [`POST ${base}/:integration_id/test_alert`]: onIntegration("/test_alert", { payload: { title: "test" } }),
    [`GET ${alerts}`]: onProject("alert_management_alerts"),
    [`GET ${alerts}/status_counts`]: onProject("alert_management_alerts/status_counts"),
    [`GET ${alerts}/:alert_iid`]: onAlert(),
    [`PUT ${alerts}/:alert_iid`]: onAlert("", { status: "acknowledged" }),
    [`POST ${alerts}/:alert_iid/incident`]: onAlert("/incident"),
    [`GET /projects/:id/${incidents}`]: onProject(incidents),
    [`PUT /projects/:id/${incidents}`]: onProject(incidents, { send_email: false }),
    [`GET /projects/:id/${onCall}`]: onProject(onCall),
    [`PUT /projects/:id/${onCall}`]: onProject(onCall, { active: false }),
    [`DELETE /projects/:id/${onCall}`]: async (_, { projectId }) => {
      const path = `/projects/${projectId}/${onCall}`;
      await world.call("PUT", path, { token: rootToken, json: { active: false } });
      return { path };
    },
  };
}
