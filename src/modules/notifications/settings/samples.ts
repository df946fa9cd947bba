import type { Samples } from "../../kernel/sample.ts";

const update = { json: { level: "custom", new_note: true } };

export const notificationSettingsSamples: Samples = {
  "PUT /notification_settings": update,
  "PUT /groups/:id/notification_settings": update,
  "PUT /projects/:id/notification_settings": update,
};
