import type { Static } from "@sinclair/typebox";
import type { View } from "../../kernel/view.ts";
import type { AuditEventRecord } from "./records.ts";
import type { AuditEvent } from "./schema.ts";

/**
 * audit-events 2. The address of the author is for administrators and auditors, and for the author: whoever owns a group can add any
 * user to it, and that user leaves an event there by leaving.
 */
export function presentAuditEvent(event: AuditEventRecord, { caller: { user } }: View): Static<typeof AuditEvent> {
  const { id, author_id, entity_id, entity_type, event_name, created_at } = event;
  const isShown = user?.is_admin === true || user?.is_auditor === true || user?.id === author_id;
  const details = isShown ? event.details : { ...event.details, author_email: null, ip_address: null };
  const { ip_address, author_name, entity_path, target_details, target_type, target_id } = details;
  return {
    ...{ id, author_id, entity_id, entity_type, event_name, details, created_at },
    event_type: event_name,
    ...{ ip_address, author_name, entity_path, target_details, target_type, target_id },
  };
}
