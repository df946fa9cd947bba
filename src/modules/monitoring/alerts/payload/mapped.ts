/** The values that the mappings of an integration name. */

import { spend } from "../../../../domain/work-budget.ts";
import { isObject, type JsonObject, member } from "./json.ts";
import type { FieldMapping, MappedField } from "./report.ts";

/** Mappings by the field that they fill, each field's in their order. */
export type Mappings = ReadonlyMap<MappedField, readonly FieldMapping[]>;

/** Characters that are looked at in one step. */
const charactersPerStep = 64;

/** The values at the paths of the mappings come before those at the places of the format (alerts A.7). */
export function mappedValue(payload: JsonObject, mappings: Mappings, field: MappedField): unknown {
  for (const { path } of mappings.get(field) ?? []) {
    const value = valueAt(payload, path);
    if (!isNothing(value)) return value;
  }
  return undefined;
}

/** Steps of a path are keys of objects, and numbers of array elements. */
function valueAt(payload: JsonObject, path: FieldMapping["path"]): unknown {
  spend(1 + path.length, "input");
  let at: unknown = payload;
  for (const step of path) {
    if (Array.isArray(at)) at = /^\d+$/.test(String(step)) ? at[Number(step)] : undefined;
    else at = isObject(at) ? member(at, String(step)) : undefined;
  }
  return at;
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") {
    spend(value.length / charactersPerStep, "input");
    return value.trim() === "";
  }
  return Array.isArray(value) ? value.length === 0 : isObject(value);
}
