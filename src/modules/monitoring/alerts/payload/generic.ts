/** The reader of generic alert payloads. */

import { fingerprintOf, fingerprintOfPayload, givenFingerprint } from "./fingerprint.ts";
import { type JsonObject, member } from "./json.ts";
import { mappedValue } from "./mapped.ts";
import { type AlertReport, environmentAlias, type MappedField, type Reading } from "./report.ts";
import { severityNamed } from "./severity.ts";
import {
  descriptionLengthMax,
  endOf,
  hostsOf,
  nameLengthMax,
  startOf,
  textOf,
  titleLengthMax,
  truncate,
  truncateOrNull,
} from "./values.ts";

/** The title of an alert without one (alerts A.4). */
export const untitled = "New: Alert";

/** Any payload that is not in the metrics format is one alert (alerts A.4). */
export function readGeneric(payload: JsonObject, reading: Reading): AlertReport {
  const given = (field: MappedField) => mappedValue(payload, reading.mappings, field) ?? member(payload, field);
  const environment = textOf(given("service_environment_name")) ?? textOf(member(payload, environmentAlias));
  const fingerprint = givenFingerprint(given("fingerprint"));
  return {
    title: truncate(textOf(given("title")) ?? untitled, titleLengthMax),
    description: truncateOrNull(given("description"), descriptionLengthMax),
    severity: severityNamed(textOf(given("severity"))),
    service: truncateOrNull(given("service"), nameLengthMax),
    monitoring_tool: truncateOrNull(given("monitoring_tool"), nameLengthMax),
    hosts: hostsOf(given("hosts")),
    environment_name: environment ?? null,
    runbook: textOf(member(payload, "runbook")) ?? null,
    started_at: startOf(given("start_time")) ?? reading.now,
    ended_at: endOf(given("end_time")) ?? null,
    fingerprint:
      fingerprint !== undefined
        ? fingerprintOf(fingerprint)
        : reading.areFingerprintsMade
          ? fingerprintOfPayload(payload)
          : null,
    metric_query: null,
    y_label: null,
    incident_markdown: null,
    payload,
  };
}
