import { deletedWithUser } from "../../core/users/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { notificationSettings } from "./records.ts";
import { groupSettingsRemoval } from "./service.ts";

export type { NotificationEvent } from "./levels.ts";
export { notificationLevelOf, removeSettingsOfSource } from "./service.ts";
export { type Message, notify, notifyOfMovedProject } from "./service-notify.ts";
export { mailAddressIn, type Occurrence, recipientsOf } from "./service-recipients.ts";

export const notificationSettingsModule = defineModule({
  name: "notification-settings",
  tag: "Notification settings",
  about: { "Notification settings": "The events about which the caller gets mails." },
  areas: ["groups", "notification_settings", "projects"],
  operations: async () => (await import("./operations.ts")).notificationSettingsOperations,
  samples: async () => (await import("./samples.ts")).notificationSettingsSamples,
  collections: [notificationSettings],
  on: [groupSettingsRemoval, deletedWithUser(notificationSettings)],
});
