/** The JSON of alert payloads, with limits. */

import { spend } from "../../../../domain/work-budget.ts";
import { isJsonBeyond } from "../../../../lib/text/json-size.ts";
import { valuesIn } from "../../../../lib/text/json-values.ts";

/** A JSON object as a tool sent it. */
export type JsonObject = { readonly [name: string]: unknown };

/** Largest payload in bytes (alerts A.2). */
export const payloadBytesMax = 1_048_576;

/** Deepest nesting that a payload may have (alerts A.2). */
const nestingMax = 100;

/** The steps of a value: an object of many keys takes its parser long for each of them, and so does each walk of it. */
const valueSteps = 80;
/** Bytes that take one step to decode and parse, beside the values. */
const bytesPerStep = 4;

/**
 * A body as a JSON object, whatever its type says: nothing is `{}`, and what is no object becomes `_json` of one
 * (alerts A.2). undefined: no JSON, no UTF-8, nested too deeply, or more than 100,000 values. Throws `OverBudget`.
 */
export function readPayload(body: Uint8Array): JsonObject | undefined {
  if (body.length === 0) return {};
  spend(body.length / bytesPerStep, "input");
  const value = isJsonBeyond(body, { levels: nestingMax }) ? undefined : parsed(body);
  if (value === undefined) return undefined;
  spend(valueSteps * valuesIn(value), "input");
  return isObject(value) ? value : { _json: value };
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own property of an object; undefined if there is none of this name. */
export function member(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Returns the member if it is an object, else an empty one. */
export function objectMember(object: JsonObject, name: string): JsonObject {
  const value = member(object, name);
  return isObject(value) ? value : {};
}

/** Characters of all paths together: one long key stands before each leaf below it. */
const pathsMax = 4 * 1_048_576;

/**
 * Leaves of an object under their keys joined by dots, as many as their paths have room; arrays are leaves. Empty objects
 * below the top are left out. Throws `OverBudget`.
 */
export function flatten(object: JsonObject): [path: string, leaf: unknown][] {
  const leaves: [string, unknown][] = [];
  let left = pathsMax;
  const walk = (at: JsonObject, prefix: string) => {
    for (const [key, value] of Object.entries(at)) {
      spend(valueSteps, "input");
      const path = `${prefix}${key}`;
      if (isObject(value)) walk(value, `${path}.`);
      else if (path.length <= left) {
        left -= path.length;
        leaves.push([path, value]);
      }
    }
  };
  walk(object, "");
  return leaves;
}

/** The same text for the same value, whatever the order of its keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`);
  return `{${members.sort().join(",")}}`;
}
