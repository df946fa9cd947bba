import {
  bitmap,
  collection,
  field,
  log,
  multi,
  ordered,
  type RecordOf,
  record,
  sum,
  text,
  unique,
} from "../../../store/index.ts";
import type { StorageOwner } from "../../kernel/storage-quotas.ts";

/** The error tracking of a project (error-tracking A); the id is that of the project. */
export const ErrorTrackingSettingRecord = record({
  id: field.whole,
  active: field.flag,
  integrated: field.flag,
});
export type ErrorTrackingSettingRecord = RecordOf<typeof ErrorTrackingSettingRecord>;

/** A key that client libraries report events with (error-tracking B). */
export const ClientKeyRecord = record({
  id: field.whole,
  project_id: field.whole,
  active: field.flag,
  public_key: field.text,
});
export type ClientKeyRecord = RecordOf<typeof ClientKeyRecord>;

export const errorStatuses = ["unresolved", "resolved", "ignored"] as const;
export type ErrorStatus = (typeof errorStatuses)[number];

/** All events of a project with one name, actor and platform (error-tracking C). */
export const TrackedErrorRecord = record({
  id: field.whole,
  project_id: field.whole,
  name: field.text,
  actor: field.text,
  platform: field.nullable(field.text),
  /** The description in the latest event. */
  description: field.text,
  status: field.oneOf(...errorStatuses),
  /** Number of events. */
  count: field.whole,
  /** The time at which the event happened that arrived first. */
  first_seen: field.moment,
  last_seen: field.moment,
  first_event_id: field.whole,
  last_event_id: field.whole,
});
export type TrackedErrorRecord = RecordOf<typeof TrackedErrorRecord>;

/** One occurrence of an error, as it was reported. */
export const ErrorEventRecord = record({
  id: field.whole,
  error_id: field.whole,
  description: field.text,
  environment: field.nullable(field.text),
  level: field.nullable(field.text),
  occurred_at: field.moment,
  /** The reported event as JSON text; left out for a large one, which is in an `ErrorPayloadRecord`. */
  payload: field.optional(field.text),
});
export type ErrorEventRecord = RecordOf<typeof ErrorEventRecord>;

/** The blob with the payload of an event, where it is too large for the log; the id is the event's. */
export const ErrorPayloadRecord = record({
  id: field.whole,
  project_id: field.whole,
  blob: field.text,
  /** Bytes. */
  size: field.whole,
  /** The error whose event it is. */
  error_id: field.whole,
});
export type ErrorPayloadRecord = RecordOf<typeof ErrorPayloadRecord>;

export const errorTrackingSettings = collection("error-tracking-settings", ErrorTrackingSettingRecord, {
  sequence: undefined,
});

export const clientKeys = collection("error-tracking-client-keys", ClientKeyRecord, {
  indexes: {
    public_key: unique((key) => key.public_key),
    project_id: multi((key) => [key.project_id]),
    active_in: multi((key) => (key.active ? [key.project_id] : [])),
    id: ordered((key) => key.id),
  },
  secrets: { public_key: "public" },
  sequence: "error-tracking-client-keys",
  references: { project_id: "projects" },
});

export const trackedErrors = collection("tracked-errors", TrackedErrorRecord, {
  indexes: {
    group: unique((error) => groupKey(error)),
    project_id: multi((error) => [error.project_id]),
    status: bitmap((error) => [error.status]),
    last_seen: ordered((error) => error.last_seen),
    first_seen: ordered((error) => error.first_seen),
    frequency: ordered((error) => error.count),
    words: text({
      name: (error) => error.name,
      description: (error) => error.description,
      actor: (error) => error.actor,
    }),
  },
  sequence: "tracked-errors",
  references: { project_id: "projects" },
});

export const errorEvents = log("error-events", ErrorEventRecord, {
  timeOf: (event) => Date.parse(event.occurred_at),
  keysOf: (event) => [errorKey(event.error_id)],
  hasTimeOrder: true,
  sequence: "error-events",
});

export const errorPayloads = collection("error-payloads", ErrorPayloadRecord, {
  indexes: {
    project_id: multi((payload) => [payload.project_id]),
    error_id: multi((payload) => [payload.error_id]),
    storage: sum(({ project_id, size }) => [`project ${project_id}` satisfies StorageOwner, size]),
  },
  blobsOf: (payload) => [payload.blob],
  sequence: undefined,
});

/** Texts of users may hold every character, so only JSON keeps them apart. */
export function groupKey(error: Pick<TrackedErrorRecord, "project_id" | "name" | "actor" | "platform">): string {
  return JSON.stringify([error.project_id, error.name, error.actor, error.platform]);
}

export function errorKey(errorId: number): string {
  return `error ${errorId}`;
}
