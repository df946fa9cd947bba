import { userRemovalStep } from "../../core/users/index.ts";
import { subscribe } from "../../kernel/event.ts";
import { defineModule } from "../../kernel/module.ts";
import { issueEvents } from "../../planning/issues/index.ts";
import { alertEvents } from "./events.ts";
import { AlertMailRate } from "./mail-rate.ts";
import { AlertRate } from "./receiving/rate.ts";
import { AlertIngestion } from "./receiving/service-ingestion.ts";
import { alertIntegrations, alertPayloads, alertSettings, alerts } from "./records.ts";
import { resolveAlertOfIncident } from "./service-incidents.ts";
import { alertRemoval } from "./service-removal.ts";
import { unassignAlerts } from "./service-update.ts";

export { describeIncident } from "./description.ts";
export { alertEvents } from "./events.ts";
export { readPayloadObject } from "./integrations/json-parameter.ts";
export { insertIntegration, integrationsOf } from "./integrations/service.ts";
export { type FieldMapping, mappedFields } from "./payload/index.ts";
export { ingestAlerts, nextAlertIid } from "./receiving/service-ingestion.ts";
export { findOrInsertAlertBot } from "./service-bot.ts";
export { upsertAlertSettings } from "./settings/service.ts";

export const alertsModule = defineModule({
  name: "alerts",
  tag: "Alerts",
  about: { Alerts: "Alerts that monitoring tools send, and what a project does with them." },
  areas: ["*", "projects"],
  operations: async () => {
    const [{ integrationOperations }, { alertOperations }, { receiverOperations }, { alertSettingsOperations }] =
      await Promise.all([
        import("./integrations/operations.ts"),
        import("./operations-alerts.ts"),
        import("./receiving/operations.ts"),
        import("./settings/operations.ts"),
      ]);
    return [...receiverOperations, ...integrationOperations, ...alertOperations, ...alertSettingsOperations];
  },
  samples: async () => (await import("./samples.ts")).alertSamples,
  services: [AlertRate, AlertMailRate, AlertIngestion],
  collections: [alertIntegrations, alerts, alertPayloads, alertSettings],
  events: alertEvents.all,
  on: [
    alertRemoval,
    subscribe(userRemovalStep, { phase: 6, run: unassignAlerts }),
    subscribe(issueEvents.updated, { run: resolveAlertOfIncident }),
  ],
});
