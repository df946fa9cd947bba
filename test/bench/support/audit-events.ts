import { toDateTime } from "../../../src/lib/datetime.ts";
import { type AuditEventRecord, auditEvents, type EntityType } from "../../../src/modules/core/audit-events/records.ts";
import type { Store } from "../../../src/store/index.ts";

/** One event a minute from here on. */
export const firstAt = Date.parse("2020-01-01T00:00:00.000Z");
export const minuteMs = 60_000;
const batch = 1024;
const groupsMax = 500;
const projectsMax = 1_000;
const authorsMax = 200;
const oftenBy = 1;

/** Appends events up to `count`: in turn of projects, groups, users and the instance, one in ten by the same author. */
export async function appendEvents(store: Store, count: number): Promise<void> {
  const log = store.logOf(auditEvents);
  while (log.size < count) {
    const size = Math.min(batch, count - log.size);
    store.transact((tx) => {
      for (let one = 0; one < size; one += 1) tx.append(auditEvents, eventOf(tx.nextId("audit_events")));
    });
    await store.settled();
  }
}

function eventOf(id: number): AuditEventRecord {
  const [type, entityId] = entityOf(id);
  const author = id % 10 === 0 ? oftenBy : 2 + ((id * 7919) % authorsMax);
  const path = `place-${entityId % 100}/thing-${entityId}`;
  return {
    id,
    author_id: author,
    entity_id: entityId,
    entity_type: type,
    event_name: "member_created",
    details: {
      event_name: "member_created",
      add: "user_access",
      as: "Developer",
      member_id: id,
      custom_message: "Membership created",
      author_name: `Author ${author}`,
      author_email: `author${author}@people.example`,
      author_class: "User",
      target_id: id,
      target_type: "User",
      target_details: `Member ${id}`,
      ip_address: "192.0.2.7",
      entity_path: path,
    },
    created_at: toDateTime(firstAt + id * minuteMs),
  };
}

function entityOf(id: number): [EntityType, number] {
  const turn = id % 10;
  if (turn < 6) return ["Project", 1 + ((id * 31) % projectsMax)];
  if (turn < 8) return ["Group", 1 + ((id * 31) % groupsMax)];
  return turn < 9 ? ["User", 1 + ((id * 31) % authorsMax)] : ["Service::Audit::InstanceScope", 1];
}
