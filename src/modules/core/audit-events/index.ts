import { defineModule } from "../../kernel/module.ts";
import { auditEvents } from "./records.ts";

export { type AuditEntry, recordAuditEvent } from "./service.ts";

export const auditEventsModule = defineModule({
  name: "audit-events",
  tag: "Audit events",
  about: { "Audit events": "Who changed what, in the instance, groups and projects." },
  areas: ["-/audit-events", "audit_events", "groups", "projects"],
  operations: async () => (await import("./operations.ts")).auditEventOperations,
  samples: async () => (await import("./samples.ts")).auditEventSamples,
  collections: [auditEvents],
});
