import { defineArea } from "../../scenario.ts";
import { listWith, someText, text } from "../../values.ts";
import { makeProject } from "../common.ts";

const event = {
  event_id: "0123456789abcdef0123456789abcdef",
  platform: "python",
  timestamp: new Date().toISOString(),
  exception: { values: [{ type: "ZeroDivisionError", value: "division by zero" }] },
};

export const errorTracking = defineArea("error-tracking", (scenario) => {
  const id = makeProject(scenario, "error-tracking").get("id");
  const base = "/projects/:id/error_tracking";
  scenario.call(
    `PUT ${base}/settings`,
    { id },
    { json: { active: true, integrated: true }, expect: { active: true, integrated: true } },
  );
  scenario.call(`GET ${base}/settings`, { id }, { expect: { active: true } });
  const key = scenario.call(`POST ${base}/client_keys`, { id }, { expect: { active: true, public_key: someText } });
  scenario.call(`GET ${base}/client_keys`, { id }, { expect: listWith({ id: key.get("id") }) });
  const headers = { "X-Sentry-Auth": text`Sentry sentry_version=7, sentry_key=${key.get("public_key")}` };
  scenario.call("POST /error_tracking/collector/api/:id/store", { id }, { as: "anonymous", headers, json: event });
  const lines = [{ event_id: event.event_id }, { type: "event" }, event].map((line) => JSON.stringify(line));
  scenario.call(
    "POST /error_tracking/collector/api/:id/envelope",
    { id },
    { as: "anonymous", headers, content: { raw: lines.join("\n"), type: "application/x-sentry-envelope" } },
  );
  const errors = scenario.call(
    `GET ${base}/errors`,
    { id },
    { expect: listWith({ title: "ZeroDivisionError division by zero" }), waits: true },
  );
  const one = { id, error_id: errors.get("0.id") };
  scenario.call(`GET ${base}/errors/:error_id`, one, { expect: { status: "unresolved" } });
  scenario.call(`PUT ${base}/errors/:error_id`, one, { json: { status: "resolved" }, expect: { status: "resolved" } });
  scenario.call(`GET ${base}/errors/:error_id/events`, one);
  scenario.call(`GET ${base}/errors/:error_id/events/latest`, one);
  scenario.call(`DELETE ${base}/client_keys/:key_id`, { id, key_id: key.get("id") });
  scenario.call(`PATCH ${base}/settings`, { id }, { json: { active: false }, expect: { active: false } });
});
