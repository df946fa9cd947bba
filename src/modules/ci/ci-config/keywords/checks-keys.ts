/** Checks of the keys of a mapping. Other values have none, and pass. */

import { isMapping } from "../values.ts";
import type { Check } from "./entry.ts";

function keysOf(value: unknown): string[] {
  return isMapping(value) ? Object.keys(value) : [];
}

/** There are no other keys. */
export function knownKeys(names: readonly string[]): Check {
  const known = new Set(names);
  const unknownIn = (value: unknown) => keysOf(value).filter((name) => !known.has(name));
  return {
    faults(value) {
      const unknown = unknownIn(value);
      return unknown.length === 0 ? [] : [`contains unknown keys: ${unknown.join(", ")}`];
    },
    blamed: (value) => unknownIn(value)[0],
    schema: { properties: Object.fromEntries(names.map((name) => [name, {}])), additionalProperties: false },
  };
}

export function requiredKeys(...names: readonly string[]): Check {
  return {
    faults(value) {
      const missing = names.filter((name) => !keysOf(value).includes(name));
      return missing.length === 0 ? [] : [`missing required keys: ${missing.join(", ")}`];
    },
    schema: { required: names },
  };
}

/** One of these keys, and no more. */
export function exactlyOneKey(...names: readonly string[]): Check {
  return {
    faults(value) {
      const given = keysOf(value).filter((name) => names.includes(name));
      return given.length === 1 ? [] : [`must use exactly one of these keys: ${names.join(", ")}`];
    },
    schema: { oneOf: names.map((name) => ({ required: [name] })) },
  };
}

/** At most one of these keys. */
export function exclusiveKeys(...names: readonly string[]): Check {
  const givenIn = (value: unknown) => keysOf(value).filter((name) => names.includes(name));
  return {
    faults(value) {
      const given = givenIn(value);
      return given.length < 2 ? [] : [`these keys cannot be used together: ${given.join(", ")}`];
    },
    blamed: (value) => givenIn(value)[1],
    schema: { not: { required: names } },
  };
}

/** None of these keys; those without a value pass where `canBeEmpty`. */
export function disallowedKeys(
  names: readonly string[],
  { fault = "contains disallowed keys", canBeEmpty = false } = {},
): Check {
  const givenIn = (value: unknown) =>
    keysOf(value).filter(
      (name) => names.includes(name) && !(canBeEmpty && isMapping(value) && (value[name] ?? null) === null),
    );
  return {
    faults(value) {
      const given = givenIn(value);
      return given.length === 0 ? [] : [`${fault}: ${given.join(", ")}`];
    },
    blamed: (value) => givenIn(value)[0],
    schema: {},
  };
}
