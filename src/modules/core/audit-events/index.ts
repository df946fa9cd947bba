export { csvHead, csvLine } from "./csv.ts";
export { type EventRange, eventsWithin } from "./export.ts";
export { auditEventOperations } from "./operations.ts";
export {
  type AuditAct,
  type AuditEventRecord,
  auditEvents,
  type EntityType,
  entityTypeNamed,
  entityTypes,
} from "./records.ts";
export { type AuditEntry, recordAuditEvent } from "./service.ts";
