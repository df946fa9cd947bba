export { auditEvents } from "./collection.ts";
export { type AuditEntry, recordAuditEvent } from "./service.ts";
