import { defineModule } from "../../kernel/module.ts";
import { alertOperations } from "./alert-operations.ts";
import { alertIntegrations, alertPayloads, alertSettings, alerts } from "./records.ts";
import { integrationOperations } from "./integrations/integration-operations.ts";
import { receiverOperations } from "./receiving/receiver-operations.ts";
import { alertSettingsOperations } from "./settings/settings-operations.ts";

export { alertBot } from "./bot.ts";
export { unassignAlerts } from "./change.ts";
export { describeIncident } from "./description.ts";
export { resolveAlertOfIncident } from "./incidents.ts";
export { insertIntegration } from "./integrations/integrations.ts";
export { type Mapping, mappedFields } from "./payload/index.ts";
export { nextAlertIid } from "./receiving/ingestion.ts";
export { AlertRate } from "./receiving/rate.ts";
export { type AlertRecord, alertIntegrations, alertPayloads, alertSettings, alerts } from "./records.ts";
export { alertRemoval } from "./removal.ts";
export { putAlertSettings } from "./settings/settings.ts";

export const alertsModule = defineModule({
  name: "alerts",
  tag: "Alerts",
  operations: [...receiverOperations, ...integrationOperations, ...alertOperations, ...alertSettingsOperations],
  collections: [alertIntegrations, alerts, alertPayloads, alertSettings],
});
