/** The entry of `variables:`. */

import { aBoolean, alphanumeric, aMapping, aScalar, texts } from "./checks.ts";
import { type Check, type Entry, key, type LastRule, whole } from "./entry.ts";

const valueInOptions: LastRule = ({ options, value }) =>
  Array.isArray(options) && options.length > 0 && !options.includes(value)
    ? { fault: "value must be present in options" }
    : undefined;

function onlyKeys(names: readonly string[]): LastRule {
  return (variable) => {
    if (names.length === 0) return { fault: "must be a string" };
    const unknown = Object.keys(variable).filter((name) => !names.includes(name));
    return unknown.length === 0 ? undefined : { fault: `uses invalid data keys: ${unknown.join(", ")}` };
  };
}

/** Other keys are told by `onlyKeys`, in words of their own. */
function onlyForEditors(names: readonly string[]): Check {
  const properties = Object.fromEntries(names.map((name) => [name, {}]));
  return { faults: () => [], schema: names.length === 0 ? { not: {} } : { properties, additionalProperties: false } };
}

/** Variables by name; a value may be a mapping with these keys, if there are any. */
export function variablesWith(...names: readonly string[]): Entry {
  const detailed: Entry = {
    rules: [
      whole(onlyForEditors(names)),
      key("value", aScalar),
      key("description", alphanumeric),
      key("expand", aBoolean),
      key("options", texts),
    ],
    lastRules: [onlyKeys(names), valueInOptions],
    attributePrefix: "config",
  };
  return {
    description: "Variables by name: a value, or a mapping that says more about it.",
    rules: [whole(aMapping)],
    values: {
      alone: "variable",
      variants: [
        { kind: "scalar", entry: {} },
        { kind: "mapping", entry: detailed },
      ],
      otherwise: "definition must be either a string or a hash",
    },
  };
}
