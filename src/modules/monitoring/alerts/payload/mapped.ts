import { isObject, type JsonObject, member } from "./json.ts";
import type { MappedField, Mapping } from "./report.ts";

/** The values at the paths of the mappings come before those at the places of the format (alerts A.7). */
export function mappedValue(payload: JsonObject, mappings: readonly Mapping[], field: MappedField): unknown {
  for (const { field_name, path } of mappings) {
    const value = field_name === field ? valueAt(payload, path) : undefined;
    if (!isNothing(value)) return value;
  }
  return undefined;
}

/** Steps of a path are keys of objects, and numbers of array elements. */
function valueAt(payload: JsonObject, path: Mapping["path"]): unknown {
  let at: unknown = payload;
  for (const step of path) {
    if (Array.isArray(at)) at = /^\d+$/.test(String(step)) ? at[Number(step)] : undefined;
    else at = isObject(at) ? member(at, String(step)) : undefined;
  }
  return at;
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return value.trim() === "";
  return Array.isArray(value) ? value.length === 0 : isObject(value);
}
