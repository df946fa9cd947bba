import { userDeleted } from "../../core/users/index.ts";
import { subscribe } from "../../kernel/event.ts";
import { defineModule } from "../../kernel/module.ts";
import { issueChanged } from "../../planning/issues/index.ts";
import { alertOperations } from "./alert-operations.ts";
import { unassignAlerts } from "./change.ts";
import { resolveAlertOfIncident } from "./incidents.ts";
import { integrationOperations } from "./integrations/integration-operations.ts";
import { AlertRate } from "./receiving/rate.ts";
import { receiverOperations } from "./receiving/receiver-operations.ts";
import { alertIntegrations, alertPayloads, alertSettings, alerts } from "./records.ts";
import { alertRemoval } from "./removal.ts";
import { alertSettingsOperations } from "./settings/settings-operations.ts";

export { findOrInsertAlertBot } from "./bot.ts";
export { describeIncident } from "./description.ts";
export { insertIntegration } from "./integrations/integrations.ts";
export { type FieldMapping, mappedFields } from "./payload/index.ts";
export { nextAlertIid } from "./receiving/ingestion.ts";
export { type AlertRecord, alertIntegrations, alertPayloads, alertSettings, alerts } from "./records.ts";
export { upsertAlertSettings } from "./settings/settings.ts";

export const alertsModule = defineModule({
  name: "alerts",
  tag: "Alerts",
  operations: [...receiverOperations, ...integrationOperations, ...alertOperations, ...alertSettingsOperations],
  services: [AlertRate],
  collections: [alertIntegrations, alerts, alertPayloads, alertSettings],
  on: [
    alertRemoval,
    subscribe(userDeleted, { phase: 6, run: unassignAlerts }),
    subscribe(issueChanged, { run: resolveAlertOfIncident }),
  ],
});
