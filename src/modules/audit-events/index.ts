export { type AuditAct, type AuditEventRecord, auditEvents } from "./collection.ts";
export { type AuditEntry, recordAuditEvent } from "./service.ts";
