import { defineArea } from "../../scenario.ts";
import { owner } from "../../setup.ts";
import { listOf, listWith, pattern, someText, type } from "../../values.ts";

/** Calls that only Outpost has. */
export const outpost = defineArea("outpost", (scenario) => {
  for (const name of ["health", "readiness", "liveness"] as const)
    scenario.call(`GET /-/${name}`, {}, { as: "anonymous", expect: { status: "ok" } });
  scenario.call("GET /-/openapi.json", {}, { as: "anonymous", expect: { info: { title: pattern(/Outpost/) } } });
  scenario.call("GET /-/ci-schema.json", {}, { as: "anonymous", expect: { title: "CI file" } });
  scenario.call("GET /-/api", {}, { as: "anonymous", expectHeaders: { "Content-Type": pattern(/^text\/html/) } });
  scenario.call(
    "GET /-/avatars/:picture",
    { picture: "1.svg" },
    { as: "anonymous", expectHeaders: { "Content-Type": pattern(/svg/) } },
  );
  scenario.call("GET /-/jobs", {});
  scenario.call("GET /-/outbox", {});
  scenario.call("GET /-/unknown-calls", {});
  scenario.call(
    "GET /-/explanation",
    {},
    {
      query: { user_id: owner.id, method: "DELETE", path: "/users/1" },
      expect: { allowed: false },
    },
  );
  scenario.call("GET /-/metrics", {}, { as: "anonymous", expectHeaders: { "Content-Type": pattern(/^text\/plain/) } });
  const requests = scenario.call("GET /-/requests", {}, { expect: listWith({ method: "GET" }) });
  scenario.call("GET /-/requests/:id", { id: requests.get("0.id") }, { expect: { id: requests.get("0.id") } });
  scenario.call("GET /-/requests/:id", { id: 0 }, { status: 404 });
  scenario.call("GET /-/data", {}, { expect: listWith({ name: "users" }) });
  scenario.call("GET /-/data/:collection", { collection: "users" }, { query: { per_page: 1 }, expect: listOf(1) });
  scenario.call("GET /-/data/:collection/:id", { collection: "users", id: owner.id });
  scenario.call("GET /-/data/:collection", { collection: "nothing" }, { status: 404 });
  scenario.call("GET /-/settings", {}, { expect: listWith({ name: type("string") }) });
  for (const call of ["GET /-/attention", "GET /-/figures"] as const) scenario.call(call, {});
  scenario.call("GET /-/storages", {}, { expect: listWith({ name: someText }) });
  scenario.call("GET /-/audit-events/export", {}, { query: { entity_type: "User" } });
});
