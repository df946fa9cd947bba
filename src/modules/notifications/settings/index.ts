import { defineModule } from "../../kernel/module.ts";
import { notificationSettings } from "./records.ts";
import { notificationSettingsOperations } from "./operations.ts";

export { notificationSettings } from "./records.ts";
export type { NotificationEvent } from "./levels.ts";
export { notify, notifyOfMovedProject } from "./notify.ts";
export { mailAddressIn, type Occurrence, recipientsOf } from "./recipients.ts";
export { notificationLevelOf, removeSettingsOfSource, removeSettingsOfUser } from "./service.ts";

export const notificationSettingsModule = defineModule({
  name: "notification-settings",
  tag: "Notification settings",
  operations: notificationSettingsOperations,
  collections: [notificationSettings],
});
