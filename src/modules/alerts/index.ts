import { alertOperations } from "./alert-operations.ts";
import { integrationOperations } from "./integration-operations.ts";
import { receiverOperations } from "./receiver-operations.ts";
import { alertSettingsOperations } from "./settings-operations.ts";

export { alertBot } from "./bot.ts";
export { unassignAlerts } from "./change.ts";
export { type AlertRecord, alertIntegrations, alertPayloads, alertSettings, alerts } from "./collection.ts";
export { describeIncident } from "./description.ts";
export { resolveAlertOfIncident } from "./incidents.ts";
export { nextAlertIid } from "./intake.ts";
export { insertIntegration } from "./integrations.ts";
export { type Mapping, mappedFields } from "./payload/index.ts";
export { AlertRate } from "./rate.ts";
export { alertRemoval } from "./removal.ts";
export { putAlertSettings } from "./settings.ts";

export const alertAreaOperations = [
  ...receiverOperations,
  ...integrationOperations,
  ...alertOperations,
  ...alertSettingsOperations,
];
