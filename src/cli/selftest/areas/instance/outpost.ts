import { defineArea } from "../../scenario.ts";
import { owner } from "../../setup.ts";
import { pattern } from "../../values.ts";

/** Calls that only Outpost has. */
export const outpost = defineArea("outpost", (scenario) => {
  for (const name of ["health", "readiness", "liveness"] as const)
    scenario.call(`GET /-/${name}`, {}, { as: "anonymous", expect: { status: "ok" } });
  scenario.call("GET /-/openapi.json", {}, { as: "anonymous", expect: { info: { title: pattern(/Outpost/) } } });
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
  scenario.call("GET /-/audit-events/export", {}, { query: { entity_type: "User" } });
});
