import { defineArea } from "../../scenario.ts";
import { group } from "../../setup.ts";
import { makeProject } from "../common.ts";

const change = {
  as: "owner",
  json: { level: "custom", new_note: true },
  expect: { level: "custom", events: { new_note: true } },
} as const;

export const notificationSettings = defineArea("notification-settings", (scenario) => {
  const as = "owner";
  scenario.call("GET /notification_settings", {}, { as, expect: { level: "participating" } });
  scenario.call("PUT /notification_settings", {}, { as, json: { level: "watch" }, expect: { level: "watch" } });
  scenario.call("PUT /notification_settings", {}, { as, json: { level: "loud" }, status: 400 });
  scenario.call("GET /groups/:id/notification_settings", { id: group.get("id") }, { as, expect: { level: "global" } });
  scenario.call("PUT /groups/:id/notification_settings", { id: group.get("id") }, change);
  const id = makeProject(scenario, "notifications").get("id");
  scenario.call("GET /projects/:id/notification_settings", { id }, { as, expect: { level: "global" } });
  scenario.call("PUT /projects/:id/notification_settings", { id }, change);
});
