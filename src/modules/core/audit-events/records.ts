import { field, log, type RecordOf, record } from "../../../store/index.ts";

export const entityTypes = ["User", "Group", "Project", "Service::Audit::InstanceScope"] as const;
export type EntityType = (typeof entityTypes)[number];

/** The branded name of the instance's scope stands for the neutral one. */
export const instanceScopeAlias = "Gitlab::Audit::InstanceScope";

/** The type of that name, or undefined. */
export function entityTypeNamed(name: string): EntityType | undefined {
  return name === instanceScopeAlias ? "Service::Audit::InstanceScope" : entityTypes.find((each) => each === name);
}

/** The kind of the act: exactly one of the four shapes of audit-events 3, with its texts. */
export const AuditAct = field.object({
  custom_message: field.optional(field.text),
  add: field.optional(field.text),
  as: field.optional(field.text),
  change: field.optional(field.text),
  from: field.optional(field.text),
  to: field.optional(field.text),
  remove: field.optional(field.text),
  member_id: field.optional(field.whole),
  expiry_from: field.optional(field.nullable(field.day)),
  expiry_to: field.optional(field.nullable(field.day)),
  failed_login: field.optional(field.text),
});
export type AuditAct = RecordOf<typeof AuditAct>;

/** Names are copies of what they were at the time: renames and deletions do not change them. */
const AuditDetails = field.object({
  ...AuditAct.properties,
  event_name: field.text,
  author_name: field.text,
  author_email: field.nullable(field.text),
  author_class: field.text,
  target_id: field.either(field.text, field.whole),
  target_type: field.text,
  target_details: field.text,
  ip_address: field.nullable(field.text),
  entity_path: field.text,
});

export const AuditEventRecord = record({
  id: field.whole,
  /** -1 for an anonymous or system caller. */
  author_id: field.whole,
  entity_id: field.whole,
  entity_type: field.oneOf(...entityTypes),
  event_name: field.text,
  details: AuditDetails,
  created_at: field.moment,
});
export type AuditEventRecord = RecordOf<typeof AuditEventRecord>;

export const auditEvents = log("audit-events", AuditEventRecord, {
  timeOf: (event) => Date.parse(event.created_at),
  keysOf({ entity_type, entity_id, author_id }) {
    const keys = [typeKey(entity_type), entityKey(entity_type, entity_id), authorKey(author_id)];
    const isContainer = entity_type === "Group" || entity_type === "Project";
    return isContainer ? [...keys, actsByAuthorKey(entity_type, entity_id, author_id)] : keys;
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

/** The key of one author's acts on one group or project: most members can see only their own acts. */
export function actsByAuthorKey(type: "Group" | "Project", id: number, authorId: number): string {
  return `${type} ${id} by ${authorId}`;
}
