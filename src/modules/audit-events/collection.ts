import type { CalendarDate, DateTime } from "../../domain/datetime.ts";
import { log } from "../../store/index.ts";

export type EntityType = "User" | "Group" | "Project" | "Service::Audit::InstanceScope";

/** What the act was; exactly one of the four shapes of audit-events 3, with the texts that go with it. */
export type AuditAct = {
  readonly custom_message?: string;
  readonly add?: string;
  readonly as?: string;
  readonly change?: string;
  readonly from?: string;
  readonly to?: string;
  readonly remove?: string;
  readonly member_id?: number;
  readonly expiry_from?: CalendarDate | null;
  readonly expiry_to?: CalendarDate | null;
};

/** Names are copies of what they were at the time: renames and deletions do not change them. */
export type AuditDetails = AuditAct & {
  readonly event_name: string;
  readonly author_name: string;
  readonly author_email: string | null;
  readonly author_class: string;
  readonly target_id: number | string;
  readonly target_type: string;
  readonly target_details: string;
  readonly ip_address: string | null;
  readonly entity_path: string;
};

export interface AuditEventRecord {
  readonly id: number;
  /** -1 for nobody signed in. */
  readonly author_id: number;
  readonly entity_id: number;
  readonly entity_type: EntityType;
  readonly event_name: string;
  readonly details: AuditDetails;
  readonly created_at: DateTime;
}

export const auditEvents = log<AuditEventRecord>("audit-events", {
  timeOf: (event) => Date.parse(event.created_at),
  keysOf: (event) => [entityKey(event.entity_type, event.entity_id), authorKey(event.author_id)],
});

export function entityKey(type: EntityType, id: number): string {
  return `${type} ${id}`;
}

export function authorKey(authorId: number): string {
  return `author ${authorId}`;
}
