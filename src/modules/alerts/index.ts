import { alertOperations } from "./alert-operations.ts";
import { integrationOperations } from "./integration-operations.ts";
import { receiverOperations } from "./receiver-operations.ts";
import { alertSettingsOperations } from "./settings-operations.ts";

export { unassignAlerts } from "./change.ts";
export { type AlertRecord, alertIntegrations, alertPayloads, alertSettings, alerts } from "./collection.ts";
export { resolveAlertOfIncident } from "./incidents.ts";
export { AlertRate } from "./rate.ts";
export { alertRemoval } from "./removal.ts";

export const alertAreaOperations = [
  ...receiverOperations,
  ...integrationOperations,
  ...alertOperations,
  ...alertSettingsOperations,
];
