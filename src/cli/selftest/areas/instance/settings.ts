import { defineArea } from "../../scenario.ts";

export const applicationSettings = defineArea("settings", (scenario) => {
  const settings = scenario.call("GET /application/settings", {});
  const signup_enabled = settings.get("signup_enabled");
  // Sends the current values, since the settings apply to all users of the server.
  scenario.call("PUT /application/settings", {}, { json: { signup_enabled }, expect: { signup_enabled } });
});
