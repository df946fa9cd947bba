export type { NotificationEvent } from "./levels.ts";
export { notify, notifyOfMovedProject } from "./notify.ts";
export { notificationSettingsOperations } from "./operations.ts";
export { mailAddressIn, type Occurrence, recipientsOf } from "./recipients.ts";
export { notificationSettings } from "./records.ts";
export { notificationLevelOf, removeSettingsOfSource, removeSettingsOfUser } from "./service.ts";
