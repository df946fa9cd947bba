import { defineArea } from "../../scenario.ts";
import { group } from "../../setup.ts";
import { listOf, listWith, someText } from "../../values.ts";
import { makeProject } from "../common.ts";
import { makeCiProject } from "./common.ts";

export const pipelineTriggers = defineArea("pipeline-triggers", (scenario) => {
  const id = makeCiProject(scenario, "triggers");
  const trigger = scenario.call(
    "POST /projects/:id/triggers",
    { id },
    {
      json: { description: "nightly" },
      expect: { description: "nightly", token: someText },
    },
  );
  const one = { id, trigger_id: trigger.get("id") };
  const token = trigger.get("token");
  scenario.call("GET /projects/:id/triggers", { id }, { expect: [{ id: trigger.get("id") }] });
  scenario.call("GET /projects/:id/triggers/:trigger_id", one, { expect: { description: "nightly" } });
  scenario.call("PUT /projects/:id/triggers/:trigger_id", one, {
    json: { description: "weekly" },
    expect: { description: "weekly" },
  });
  const made = { ref: "main", source: "trigger" };
  const as = "anonymous";
  scenario.call(
    "POST /projects/:id/trigger/pipeline",
    { id },
    { as, json: { token, ref: "main", variables: { STAGE: "test" } }, expect: made },
  );
  scenario.call(
    "POST /projects/:id/ref/:ref/trigger/pipeline",
    { id, ref: "main" },
    { as, json: { token }, expect: made },
  );
  scenario.call(
    "POST /projects/:id/trigger/pipeline",
    { id },
    { as, json: { token: "wrong", ref: "main" }, status: 404 },
  );
  scenario.call("DELETE /projects/:id/triggers/:trigger_id", one);
  scenario.call("GET /projects/:id/triggers/:trigger_id", one, { status: 404 });
});

export const jobTokenScope = defineArea("job-token-scope", (scenario) => {
  const id = makeProject(scenario, "job-token-scope").get("id");
  const base = "/projects/:id/job_token_scope";
  scenario.call(`PATCH ${base}`, { id }, { json: { enabled: true } });
  scenario.call(`GET ${base}`, { id }, { expect: { inbound_enabled: true } });
  const target_project_id = makeProject(scenario, "job-token-target").get("id");
  scenario.call(
    `POST ${base}/allowlist`,
    { id },
    { json: { target_project_id }, expect: { source_project_id: id, target_project_id } },
  );
  scenario.call(`POST ${base}/allowlist`, { id }, { json: { target_project_id }, status: 400 });
  scenario.call(`GET ${base}/allowlist`, { id }, { expect: listWith({ id: target_project_id }) });
  scenario.call(`DELETE ${base}/allowlist/:target_project_id`, { id, target_project_id });
  const target_group_id = group.get("id");
  scenario.call(
    `POST ${base}/groups_allowlist`,
    { id },
    { json: { target_group_id }, expect: { source_project_id: id, target_group_id } },
  );
  scenario.call(`GET ${base}/groups_allowlist`, { id }, { expect: [{ id: target_group_id }] });
  scenario.call(`DELETE ${base}/groups_allowlist/:target_group_id`, { id, target_group_id });
  scenario.call(`GET ${base}/groups_allowlist`, { id }, { expect: listOf(0) });
});
