import { defineArea } from "../../scenario.ts";

export const applicationSettings = defineArea("settings", (scenario) => {
  const settings = scenario.call("GET /application/settings", {});
  const signup_enabled = settings.get("signup_enabled");
  // Nothing changes: the settings hold for everybody on the server.
  scenario.call("PUT /application/settings", {}, { json: { signup_enabled }, expect: { signup_enabled } });
});
