import { defineModule } from "../../kernel/module.ts";
import { auditEventOperations } from "./operations.ts";
import { auditEvents } from "./records.ts";

export {
  type AuditAct,
  type AuditEventRecord,
  auditEvents,
  type EntityType,
  entityTypeNamed,
  entityTypes,
} from "./records.ts";
export { type AuditEntry, recordAuditEvent } from "./service.ts";

export const auditEventsModule = defineModule({
  name: "audit-events",
  tag: "Audit events",
  operations: auditEventOperations,
  collections: [auditEvents],
});
