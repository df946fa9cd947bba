import { defineModule } from "../../kernel/module.ts";
import { auditEvents } from "./records.ts";
import { auditEventOperations } from "./operations.ts";

export {
  type AuditAct,
  type AuditEventRecord,
  auditEvents,
  type EntityType,
  entityTypeNamed,
  entityTypes,
} from "./records.ts";
export { csvHead, csvLine } from "./csv.ts";
export { type EventRange, eventsWithin } from "./export.ts";
export { type AuditEntry, recordAuditEvent } from "./service.ts";

export const auditEventsModule = defineModule({
  name: "audit-events",
  tag: "Audit events",
  operations: auditEventOperations,
  collections: [auditEvents],
});
