import { defineArea, type Scenario } from "../../scenario.ts";
import { listWith, pattern, text, type, unique } from "../../values.ts";

/** Calls that only a sandbox has. None of them affects other users of the server. */
export const sandbox = defineArea("sandbox", (scenario) => {
  checkpoints(scenario);
  clock(scenario);
  faults(scenario);
  const refused = { route: "/version", status: 503 };
  const expect = listWith({ method: "GET", ...refused });
  scenario.call("GET /-/sandbox/requests", {}, { query: refused, expect });
  scenario.call("GET /-/sandbox/requests", {}, { query: { since: "yesterday" }, status: 400 });
  scenario.call("GET /-/sandbox/outgoing", {});
  scenario.call("GET /-/mails", {}, { query: { per_page: 1 } });
  const yaml = (raw: string) => ({ raw, type: "application/yaml" });
  scenario.call(
    "POST /-/sandbox/fixtures",
    {},
    { content: yaml("{}"), expect: { users: {}, groups: {}, projects: {} } },
  );
  scenario.call("POST /-/sandbox/fixtures", {}, { content: yaml("usres: []"), status: 400 });
});

function checkpoints(scenario: Scenario): void {
  const name = unique("selftest");
  const made = scenario.call("PUT /-/sandbox/checkpoints/:name", { name }, { expect: { name } });
  const gone = "GET /-/sandbox/checkpoints/:name";
  scenario.undo(made, "DELETE /-/sandbox/checkpoints/:name", { name }, { gone });
  scenario.call("PUT /-/sandbox/checkpoints/:name", { name: "no name" }, { status: 400 });
  scenario.call("GET /-/sandbox/checkpoints", {}, { expect: listWith({ name }) });
  const position = made.get("position");
  scenario.call("GET /-/sandbox/checkpoints/:name", { name }, { expect: { name, position } });
  scenario.call("DELETE /-/sandbox/checkpoints/:name", { name });
  scenario.call("GET /-/sandbox/checkpoints/:name", { name }, { status: 404 });
  scenario.call("POST /-/sandbox/checkpoints/:name/restore", { name }, { status: 404 });
}

function clock(scenario: Scenario): void {
  const shown = scenario.call(
    "GET /-/sandbox/clock",
    {},
    { expect: { frozen: type("boolean"), rate: type("number") } },
  );
  const frozen = shown.get("frozen");
  scenario.call("PUT /-/sandbox/clock", {}, { json: { frozen }, expect: { jobs_run: 0 } });
  scenario.call("PUT /-/sandbox/clock", {}, { json: {}, status: 400 });
  scenario.call("PUT /-/sandbox/clock", {}, { json: { advance: "a day" }, status: 400 });
  scenario.call("PUT /-/sandbox/clock", {}, { json: { now: "2001-01-01T00:00:00Z" }, status: 400 });
}

function faults(scenario: Scenario): void {
  const headers = { "X-Selftest": unique("version") };
  scenario.call(
    "GET /version",
    {},
    {
      headers: { Prefer: "code=503, wait=0.01" },
      isOfSandbox: true,
      status: 503,
      expect: { message: pattern(/^503/) },
      expectHeaders: { "Preference-Applied": "wait=0.01, code=503", "Retry-After": "1", "X-Outpost-Sandbox": "true" },
    },
  );
  scenario.call("GET /version", {}, { headers: { Prefer: "code=200" }, isOfSandbox: true, status: 400 });
  scenario.call("POST /-/sandbox/faults", {}, { json: { effect: {} }, status: 400 });
  const effect = { code: 502 };
  const rule = scenario.call(
    "POST /-/sandbox/faults",
    {},
    {
      json: { match: { route: "/version", header: text`X-Selftest: ${unique("version")}` }, effect, times: 1 },
      expect: { effect, hits: 0 },
    },
  );
  const id = rule.get("id");
  scenario.undo(rule, "DELETE /-/sandbox/faults/:id", { id }, { gone: "GET /-/sandbox/faults/:id" });
  scenario.call("GET /-/sandbox/faults", {}, { expect: listWith({ id }) });
  scenario.call("GET /version", {}, { headers, after: id, status: 502 });
  scenario.call("GET /version", {}, { headers, after: id });
  scenario.call("GET /-/sandbox/faults/:id", { id }, { expect: { id, hits: 1 } });
  scenario.call("DELETE /-/sandbox/faults/:id", { id });
  scenario.call("DELETE /-/sandbox/faults/:id", { id }, { status: 404 });
}
