import type { Static } from "@sinclair/typebox";
import type { View } from "../../kernel/view.ts";
import type { AuditEventRecord } from "./records.ts";
import type { AuditEvent } from "./schema.ts";

/** audit-events 2. Callers who may list an event read the addresses of its author, too. */
export function presentAuditEvent(event: AuditEventRecord, _: View): Static<typeof AuditEvent> {
  const { id, author_id, entity_id, entity_type, event_name, created_at, details } = event;
  const { ip_address, author_name, entity_path, target_details, target_type, target_id } = details;
  return {
    ...{ id, author_id, entity_id, entity_type, event_name, details, created_at },
    event_type: event_name,
    ...{ ip_address, author_name, entity_path, target_details, target_type, target_id },
  };
}
