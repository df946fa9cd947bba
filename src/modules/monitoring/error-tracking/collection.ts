import type { DateTime } from "../../../lib/datetime.ts";
import { bitmap, collection, log, multi, ordered, text, unique } from "../../../store/index.ts";

/** The error tracking of a project (error-tracking A); the id is that of the project. */
export interface ErrorTrackingSettingRecord {
  readonly id: number;
  readonly active: boolean;
  readonly integrated: boolean;
}

/** What client libraries report with (error-tracking B). */
export interface ClientKeyRecord {
  readonly id: number;
  readonly project_id: number;
  readonly active: boolean;
  readonly public_key: string;
}

export const errorStatuses = ["unresolved", "resolved", "ignored"] as const;
export type ErrorStatus = (typeof errorStatuses)[number];

/** All events of a project with one name, actor and platform (error-tracking C). */
export interface TrackedErrorRecord {
  readonly id: number;
  readonly project_id: number;
  readonly name: string;
  readonly actor: string;
  readonly platform: string | null;
  /** Of the event that arrived last. */
  readonly description: string;
  readonly status: ErrorStatus;
  /** How many events there are. */
  readonly count: number;
  /** When the event that arrived first happened. */
  readonly first_seen: DateTime;
  readonly last_seen: DateTime;
  readonly first_event_id: number;
  readonly last_event_id: number;
}

/** One occurrence of an error, as it was reported. */
export interface ErrorEventRecord {
  readonly id: number;
  readonly error_id: number;
  readonly description: string;
  readonly environment: string | null;
  readonly level: string | null;
  readonly occurred_at: DateTime;
  /** What was reported, as JSON text; left out where it is a large one: then an `ErrorPayloadRecord` has it. */
  readonly payload?: string;
}

/** Where the payload of an event is that is too large for the log; the id is that of the event. */
export interface ErrorPayloadRecord {
  readonly id: number;
  readonly project_id: number;
  readonly blob: string;
}

export const errorTrackingSettings = collection<ErrorTrackingSettingRecord>()("error-tracking-settings", {});

export const clientKeys = collection<ClientKeyRecord>()("error-tracking-client-keys", {
  public_key: unique((key) => key.public_key),
  project_id: multi((key) => [key.project_id]),
  active_in: multi((key) => (key.active ? [key.project_id] : [])),
  id: ordered((key) => key.id),
});

export const trackedErrors = collection<TrackedErrorRecord>()("tracked-errors", {
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
});

export const errorEvents = log<ErrorEventRecord>("error-events", {
  timeOf: (event) => Date.parse(event.occurred_at),
  keysOf: (event) => [errorKey(event.error_id)],
  hasTimeOrder: true,
});

export const errorPayloads = collection<ErrorPayloadRecord>()(
  "error-payloads",
  { project_id: multi((payload) => [payload.project_id]) },
  { blobsOf: (payload) => [payload.blob] },
);

/** Texts of users may hold every character, so only JSON keeps them apart. */
export function groupKey(error: Pick<TrackedErrorRecord, "project_id" | "name" | "actor" | "platform">): string {
  return JSON.stringify([error.project_id, error.name, error.actor, error.platform]);
}

export function errorKey(errorId: number): string {
  return `error ${errorId}`;
}
