import { defineArea, type Scenario, type Step } from "../../scenario.ts";
import { group } from "../../setup.ts";
import { listOf, listWith, pattern, someText } from "../../values.ts";
import { makeProject } from "../common.ts";
import { makeCiProject, makeRunner, takeJob } from "./common.ts";

export const runners = defineArea("runners", (scenario) => {
  const project = makeCiProject(scenario, "runners");
  const runner = makeRunner(scenario, project);
  const id = runner.get("id");
  scenario.call("POST /user/runners", {}, { json: {}, status: 400 });
  scenario.call("GET /runners/:id", { id }, { expect: { description: "selftest", runner_type: "project_type" } });
  scenario.call("PUT /runners/:id", { id }, { json: { description: "desk" }, expect: { description: "desk" } });
  const job = takeJob(scenario, project, runner);
  scenario.call("GET /runners/:id/jobs", { id }, { expect: [{ id: job.get("id"), name: "build" }] });
  scenario.call("GET /oauth/discovery/keys", {}, { as: "anonymous", expect: { keys: [{ alg: "RS256" }] } });
  const jwks_uri = pattern(/\/oauth\/discovery\/keys$/);
  scenario.call("GET /.well-known/openid-configuration", {}, { as: "anonymous", expect: { jwks_uri } });
  list(scenario, runner, project);
  actAsRunner(scenario, runner);
  register(scenario);
  scenario.call("DELETE /runners/:id", { id });
  scenario.call("GET /runners/:id", { id }, { status: 404 });
});

function list(scenario: Scenario, runner: Step, project: ReturnType<Step["get"]>): void {
  const id = runner.get("id");
  scenario.call("GET /runners", {}, { query: { type: "project_type" }, expect: listWith({ id }) });
  scenario.call("GET /runners/all", {}, { query: { type: "project_type" }, expect: listWith({ id }) });
  scenario.call("GET /projects/:id/runners", { id: project }, { expect: listWith({ id }) });
  scenario.call("GET /groups/:id/runners", { id: group.get("id") });
  const other = makeProject(scenario, "runners-other").get("id");
  scenario.call("POST /projects/:id/runners", { id: other }, { json: { runner_id: id }, expect: { id } });
  scenario.call("DELETE /projects/:id/runners/:runner_id", { id: other, runner_id: id });
  scenario.call("GET /projects/:id/runners", { id: other }, { query: { type: "project_type" }, expect: listOf(0) });
}

function actAsRunner(scenario: Scenario, runner: Step): void {
  const as = "anonymous";
  const id = runner.get("id");
  const first = runner.get("token");
  scenario.call("POST /runners/verify", {}, { as, json: { token: first, system_id: "s_1" }, expect: { id } });
  scenario.call("POST /runners/verify", {}, { as, json: { token: "wrong" }, status: 403 });
  scenario.call("GET /runners/:id/managers", { id }, { expect: listWith({ system_id: "s_1" }) });
  scenario.call("DELETE /runners/managers", {}, { as, json: { token: first, system_id: "s_1" } });
  const second = scenario.call(
    "POST /runners/reset_authentication_token",
    {},
    { as, json: { token: first }, expect: { token: someText } },
  );
  scenario.call("POST /runners/verify", {}, { as, json: { token: first }, status: 403 });
  scenario.call("POST /runners/:id/reset_authentication_token", { id }, { expect: { token: someText } });
  scenario.call("POST /runners/verify", {}, { as, json: { token: second.get("token") }, status: 403 });
}

/** Tests the older way of registration: a runner registers itself with the token of a project or group. */
function register(scenario: Scenario): void {
  const id = makeProject(scenario, "runners-registered").get("id");
  const reset = scenario.call(
    "POST /projects/:id/runners/reset_registration_token",
    { id },
    { expect: { token: someText } },
  );
  scenario.call(
    "POST /groups/:id/runners/reset_registration_token",
    { id: group.get("id") },
    { expect: { token: someText } },
  );
  const registered = scenario.call(
    "POST /runners",
    {},
    { as: "anonymous", json: { token: reset.get("token"), description: "old" }, expect: { token: someText } },
  );
  scenario.call("GET /projects/:id/runners", { id }, { expect: listWith({ id: registered.get("id") }) });
  scenario.call("DELETE /runners", {}, { as: "anonymous", json: { token: registered.get("token") } });
}
