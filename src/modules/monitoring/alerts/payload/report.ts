/** The report that every payload is read into, and the fields that can be mapped. */

import type { DateTime } from "../../../../lib/datetime.ts";
import type { JsonObject } from "./json.ts";
import type { Mappings } from "./mapped.ts";
import type { AlertSeverity } from "./severity.ts";

/** The data of an alert in a payload, or in one item of it. */
export interface AlertReport {
  readonly title: string;
  readonly description: string | null;
  readonly severity: AlertSeverity;
  readonly service: string | null;
  readonly monitoring_tool: string | null;
  readonly hosts: readonly string[];
  readonly environment_name: string | null;
  readonly runbook: string | null;
  readonly started_at: DateTime;
  /** The end of the problem; null: it has not ended. */
  readonly ended_at: DateTime | null;
  /** 40 hex digits; null: nothing else is ever the same alert. */
  readonly fingerprint: string | null;
  readonly metric_query: string | null;
  readonly y_label: string | null;
  readonly incident_markdown: string | null;
  /** The payload as sent. */
  readonly payload: JsonObject;
}

/** The rules for reading payloads in one project. */
export interface Reading {
  readonly now: DateTime;
  /** Generic payloads without a fingerprint get one of all that they say. */
  readonly areFingerprintsMade: boolean;
  readonly mappings: Mappings;
}

/** The path of a field's value in a custom payload (alerts A.7). */
export interface FieldMapping {
  readonly field_name: MappedField;
  readonly path: readonly (string | number)[];
  readonly type: "string" | "datetime" | "array" | "number";
  readonly label?: string;
}

export const mappedFields = [
  "title",
  "description",
  "start_time",
  "end_time",
  "service",
  "monitoring_tool",
  "hosts",
  "severity",
  "fingerprint",
  "service_environment_name",
] as const;
export type MappedField = (typeof mappedFields)[number];

/** The name that the field goes by elsewhere. */
export const environmentAlias = "gitlab_environment_name";
