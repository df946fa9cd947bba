import { at, type Samples } from "../scene.ts";

export function notificationSettingsSamples(): Samples {
  const change = { json: { level: "custom", new_note: true } };
  return {
    "GET /notification_settings": at("/notification_settings"),
    "PUT /notification_settings": at("/notification_settings", change),
    "GET /groups/:id/notification_settings": (_, { groupId }) => ({ path: `/groups/${groupId}/notification_settings` }),
    "PUT /groups/:id/notification_settings": (_, { groupId }) => ({
      path: `/groups/${groupId}/notification_settings`,
      options: change,
    }),
    "GET /projects/:id/notification_settings": (_, { projectId }) => ({
      path: `/projects/${projectId}/notification_settings`,
    }),
    "PUT /projects/:id/notification_settings": (_, { projectId }) => ({
      path: `/projects/${projectId}/notification_settings`,
      options: change,
    }),
  };
}
