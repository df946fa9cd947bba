import type { CalendarDate, DateTime } from "../../../lib/datetime.ts";
import { log } from "../../../store/index.ts";

export const entityTypes = ["User", "Group", "Project", "Service::Audit::InstanceScope"] as const;
export type EntityType = (typeof entityTypes)[number];

/** The branded name of the instance's scope stands for the neutral one. */
export const instanceScopeAlias = "Gitlab::Audit::InstanceScope";

/** The type of that name, or undefined. */
export function entityTypeNamed(name: string): EntityType | undefined {
  return name === instanceScopeAlias ? "Service::Audit::InstanceScope" : entityTypes.find((each) => each === name);
}

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
type AuditDetails = AuditAct & {
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
  keysOf({ entity_type, entity_id, author_id }) {
    const keys = [typeKey(entity_type), entityKey(entity_type, entity_id), authorKey(author_id)];
    const isContainer = entity_type === "Group" || entity_type === "Project";
    return isContainer ? [...keys, actsKey(entity_type, entity_id, author_id)] : keys;
  },
  keysVersion: 2,
});

/** All events about things of one type. */
export function typeKey(type: EntityType): string {
  return `type ${type}`;
}

export function entityKey(type: EntityType, id: number): string {
  return `${type} ${id}`;
}

function authorKey(authorId: number): string {
  return `author ${authorId}`;
}

/** What one author did to one group or project: most members see no more than their own acts. */
export function actsKey(type: "Group" | "Project", id: number, authorId: number): string {
  return `${type} ${id} by ${authorId}`;
}
