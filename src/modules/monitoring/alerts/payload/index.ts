import { readGeneric } from "./generic.ts";
import type { JsonObject } from "./json.ts";
import { isMetrics, readMetrics } from "./metrics.ts";
import type { AlertReport, Reading } from "./report.ts";

export { untitled } from "./generic.ts";
export { flatten, isObject, type JsonObject, payloadBytesMax, readPayload } from "./json.ts";
export { isMetrics } from "./metrics.ts";
export {
  type AlertReport,
  environmentAlias,
  type FieldMapping,
  type MappedField,
  mappedFields,
  type Reading,
} from "./report.ts";
export { type AlertSeverity, alertSeverities } from "./severity.ts";

/** Every report of a payload; undefined: it cannot be used. */
export function readReports(payload: JsonObject, reading: Reading): readonly AlertReport[] | undefined {
  return isMetrics(payload) ? readMetrics(payload, reading) : [readGeneric(payload, reading)];
}
