import { Type } from "@sinclair/typebox";
import { dateTime, groupId, integer, oneOf, optional, projectId, text } from "../../../domain/parameters.ts";
import { entityTypes, instanceScopeAlias } from "./records.ts";

const nullableText = () => Type.Union([Type.String(), Type.Null()]);
const optionalText = () => Type.Optional(Type.String());
const optionalDay = () => Type.Optional(Type.Union([Type.String({ format: "date" }), Type.Null()]));
const targetId = () => Type.Union([Type.Integer(), Type.String()]);

/** audit-events 3: what all have, and what one of the shapes adds. */
const Details = Type.Object({
  event_name: Type.String(),
  custom_message: optionalText(),
  add: optionalText(),
  as: optionalText(),
  change: optionalText(),
  from: optionalText(),
  to: optionalText(),
  remove: optionalText(),
  member_id: Type.Optional(Type.Integer()),
  expiry_from: optionalDay(),
  expiry_to: optionalDay(),
  failed_login: optionalText(),
  author_name: Type.String(),
  author_email: nullableText(),
  author_class: Type.String(),
  target_id: targetId(),
  target_type: Type.String(),
  target_details: Type.String(),
  ip_address: nullableText(),
  entity_path: Type.String(),
});

/** audit-events 2. The fields from `event_type` on repeat the details; clients read them on events of the instance. */
export const AuditEvent = Type.Object(
  {
    id: Type.Integer(),
    author_id: Type.Integer({ description: "negative: not a user" }),
    entity_id: Type.Integer(),
    entity_type: Type.Union(entityTypes.map((type) => Type.Literal(type))),
    event_name: Type.String(),
    details: Details,
    created_at: Type.String({ format: "date-time" }),
    event_type: Type.String(),
    ip_address: nullableText(),
    author_name: Type.String(),
    entity_path: Type.String(),
    target_details: Type.String(),
    target_type: Type.String(),
    target_id: targetId(),
  },
  { $id: "AuditEvent" },
);

/** The order is always that of the ids; keyset pages refuse to be asked for another. */
const range = {
  created_after: optional(dateTime({ description: "inclusive" })),
  created_before: optional(dateTime({ description: "inclusive" })),
  order_by: optional(text({ description: "keyset pages only: id" })),
  sort: optional(text({ description: "keyset pages only: desc" })),
};

const entity = {
  entity_type: optional(oneOf([...entityTypes, instanceScopeAlias])),
  entity_id: optional(integer({ description: "only with entity_type" })),
};

export const ListInstanceEvents = Type.Object({ ...range, ...entity });
export const ExportEvents = Type.Object({
  ...{ created_after: range.created_after, created_before: range.created_before },
  ...entity,
  format: optional(oneOf(["jsonl", "csv"], { description: "one JSON object per line, or CSV with a head; jsonl" })),
});
export const ListGroupEvents = Type.Object({ id: groupId(), ...range });
export const ListProjectEvents = Type.Object({ id: projectId(), ...range });

export const InstanceEventInPath = Type.Object({ id: integer() });
export const GroupEventInPath = Type.Object({ id: groupId(), audit_event_id: integer() });
export const ProjectEventInPath = Type.Object({ id: projectId(), audit_event_id: integer() });
