import { defineArea } from "../../scenario.ts";
import { listWith, someText, unique } from "../../values.ts";

export const version = defineArea("version", (scenario) => {
  scenario.call("GET /version", {}, { expect: { version: someText, revision: someText } });
  scenario.call("GET /metadata", {}, { expect: { version: someText } });
});

export const applicationSettings = defineArea("settings", (scenario) => {
  const settings = scenario.call("GET /application/settings", {});
  const signup_enabled = settings.get("signup_enabled");
  // Nothing changes: the settings hold for everybody on the server.
  scenario.call("PUT /application/settings", {}, { json: { signup_enabled }, expect: { signup_enabled } });
});

export const featureFlags = defineArea("feature-flags", (scenario) => {
  const name = unique("selftest");
  const flag = scenario.call(
    "POST /features/:name",
    { name },
    { json: { value: true, force: true }, expect: { name, state: "on" } },
  );
  scenario.undo(flag, "DELETE /features/:name", { name });
  scenario.call("GET /features", {}, { expect: listWith({ name }) });
  scenario.call("GET /features/definitions", {});
  scenario.call("GET /-/features/:name", { name }, { expect: { name, state: "on" } });
  scenario.call("DELETE /features/:name", { name });
});
