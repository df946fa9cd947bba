import type { Static } from "@sinclair/typebox";
import { hasBudget, spend } from "../../../domain/work-budget.ts";
import { StoredJson } from "../../../lib/text/stored-json.ts";
import type { Store } from "../../../store/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { View } from "../../kernel/view.ts";
import { type JsonObject, textOf } from "./documents.ts";
import {
  type ClientKeyRecord,
  type ErrorEventRecord,
  type ErrorTrackingSettingRecord,
  errorPayloads,
  type TrackedErrorRecord,
} from "./records.ts";
import type { ClientKey, ErrorEvent, ErrorTrackingSettings, TrackedError, TrackedErrorDetails } from "./schema.ts";
import { getEvent } from "./service-errors.ts";
import { stackTraceOf } from "./stack-trace.ts";

/** Addresses are null: only another backend would have them, and none can be configured. */
export function presentSetting({
  active,
  integrated,
}: ErrorTrackingSettingRecord): Static<typeof ErrorTrackingSettings> {
  return {
    active,
    project_name: null,
    tracker_external_url: null,
    sentry_external_url: null,
    api_url: null,
    integrated,
  };
}

export function presentClientKey(
  { id, active, public_key, project_id }: ClientKeyRecord,
  { baseUrl }: View,
): Static<typeof ClientKey> {
  const [scheme, rest] = baseUrl.split("://");
  const sentry_dsn = `${scheme}://${public_key}@${rest}/api/v4/error_tracking/collector/${project_id}`;
  return { id, active, public_key, sentry_dsn };
}

const titleLengthMax = 64;

export function presentError(
  error: TrackedErrorRecord,
  { context: { store }, baseUrl }: View,
): Static<typeof TrackedError> {
  const project = store.of(projects).get(error.project_id);
  const path = project === undefined ? "" : projectPathOf(store, project);
  return {
    id: error.id,
    project_id: error.project_id,
    title: titleOf(error),
    type: error.name,
    message: error.description,
    culprit: error.actor,
    platform: error.platform,
    status: error.status,
    count: error.count,
    user_count: 0,
    first_seen: error.first_seen,
    last_seen: error.last_seen,
    external_url: `${baseUrl}/${path}/-/error_tracking/${error.id}/details`,
  };
}

/** Adds the first and the last event, in the order of their arrival. */
export function presentErrorDetails(error: TrackedErrorRecord, view: View): Static<typeof TrackedErrorDetails> {
  const {
    context: { store },
  } = view;
  const first = parsed(payloadOf(store, getEvent(store, error.first_event_id)));
  const last = parsed(payloadOf(store, getEvent(store, error.last_event_id)));
  return {
    ...presentError(error, view),
    integrated: true,
    first_release_version: textOf(first.release),
    last_release_version: textOf(last.release),
    tags: { level: textOf(last.level), logger: textOf(last.logger) },
  };
}

export function presentEvent(event: ErrorEventRecord, { context: { store } }: View): Static<typeof ErrorEvent> {
  const json = payloadOf(store, event);
  const payload = parsed(json);
  return {
    id: event.id,
    error_id: event.error_id,
    description: event.description,
    environment: event.environment,
    level: event.level,
    release: textOf(payload.release),
    date_received: event.occurred_at,
    stack_trace_entries: stackTraceOf(payload),
    // The parsed payload of a large event takes many times the memory of its text: it is dropped before the answer is sent.
    payload: new StoredJson(json),
  };
}

/** Name and description, cut so that they fit into a line. */
function titleOf({ name, description }: TrackedErrorRecord): string {
  const characters = [...`${name} ${description}`];
  if (characters.length <= titleLengthMax) return characters.join("");
  return `${characters.slice(0, titleLengthMax - 3).join("")}...`;
}

/** The reported event, as JSON; an empty object where only newer ones of its size stayed. */
function payloadOf(store: Store, { id, payload }: ErrorEventRecord): string {
  if (payload !== undefined) return payload;
  const stored = store.of(errorPayloads).get(id);
  if (stored === undefined) return "{}";
  return new TextDecoder().decode(store.blobs.read(stored.blob));
}

/** The steps of a value, beside one for each character: an object of many keys takes its parser long for each of them. */
const valueSteps = 80;

/** A page may have a hundred events of a megabyte. Throws `OverBudget`. */
function parsed(json: string): JsonObject {
  if (hasBudget()) spend(json.length + valueSteps * commasIn(json));
  return JSON.parse(json) as JsonObject;
}

/** As many as values, or more: texts have some, too. */
function commasIn(json: string): number {
  let commas = 0;
  for (let at = json.indexOf(","); at !== -1; at = json.indexOf(",", at + 1)) commas += 1;
  return commas;
}
