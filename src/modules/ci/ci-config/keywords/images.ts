/** The entries of `image:` and `services:`. */

import { isMapping } from "../values.ts";
import { aList, aText, commands, knownItems, mappingOrText, oneOf, present, textOrTexts, texts } from "./checks.ts";
import { disallowedKeys, knownKeys } from "./checks-keys.ts";
import { type Check, type Entry, isKind, key, needed, type Rule, whole } from "./entry.ts";
import { variablesWith } from "./variables.ts";

const imageKeys = ["docker", "kubernetes", "name", "entrypoint", "ports", "pull_policy"];
const serviceKeys = ["command", "alias", "variables"];
const policies = ["always", "never", "if-not-present"];

const pullPolicy: Entry = {
  description: "When the runner downloads the image: one policy, or several to try in order.",
  rules: [
    whole(textOrTexts),
    { ...whole(knownItems(policies), present), if: Array.isArray },
    { ...whole(oneOf(policies)), if: (value) => typeof value === "string" },
  ],
};

/** A text alone is the name. */
function nameOf(value: unknown): unknown {
  if (typeof value === "string") return value;
  return isMapping(value) ? value.name : undefined;
}

interface Option {
  readonly kinds: readonly ("string" | "integer")[];
  readonly lengthMax: number;
}

const executorOptions: Readonly<Record<string, Readonly<Record<string, Option>>>> = {
  docker: {
    platform: { kinds: ["string"], lengthMax: 64 },
    user: { kinds: ["string"], lengthMax: 255 },
  },
  kubernetes: { user: { kinds: ["string", "integer"], lengthMax: 255 } },
};

/** The options of one executor, in the words of a JSON schema. */
function optionsOf(executor: string): Rule {
  const known = executorOptions[executor] ?? {};
  const faultOf = (name: string, value: unknown) => {
    const at = `\`/${executor}/${name}\``;
    const option = Object.hasOwn(known, name) ? known[name] : undefined;
    if (option === undefined) return `object property at ${at} is a disallowed additional property`;
    const { kinds, lengthMax } = option;
    if (isKind(value, "integer") && kinds.includes("integer")) return undefined;
    if (typeof value !== "string") {
      return kinds.length > 1
        ? `value at ${at} is not one of the types: ${JSON.stringify(kinds).replaceAll(",", ", ")}`
        : `value at ${at} is not a string`;
    }
    if (value.length < 1) return `string length at ${at} is less than: 1`;
    return value.length > lengthMax ? `string length at ${at} is greater than: ${lengthMax}` : undefined;
  };
  const check: Check = {
    faults(value) {
      const options = isMapping(value) ? value[executor] : undefined;
      if (options === undefined || options === null) return [];
      if (!isMapping(options)) return [`value at \`/${executor}\` is not an object`];
      return Object.entries(options).flatMap(([name, inner]) => faultOf(name, inner) ?? []);
    },
    schema: {
      properties: {
        [executor]: {
          type: "object",
          additionalProperties: false,
          properties: Object.fromEntries(
            Object.entries(known).map(([name, { kinds, lengthMax }]) => [
              name,
              { type: kinds, minLength: 1, maxLength: lengthMax },
            ]),
          ),
        },
      },
    },
    blamed: () => executor,
  };
  return { key: undefined, label: "executor opts", checks: [check], isOptional: false };
}

const imageRules: readonly Rule[] = [
  whole(mappingOrText, disallowedKeys(["ports"])),
  { ...needed("name", aText, present), subjectOf: nameOf },
  key("entrypoint", texts),
  optionsOf("docker"),
  optionsOf("kubernetes"),
];

export const image: Entry = {
  description: "The image of the container that the job runs in.",
  rules: [...imageRules, whole(knownKeys(imageKeys))],
  keys: { pull_policy: pullPolicy },
};

const service: Entry = {
  description: "The image of a container that runs beside the job.",
  rules: [...imageRules, whole(knownKeys([...imageKeys, ...serviceKeys])), key("alias", aText)],
  keys: {
    pull_policy: pullPolicy,
    variables: variablesWith(),
    command: { description: "The command of the container.", rules: [whole(commands)] },
  },
};

export const services: Entry = {
  description: "Images of containers that run beside the job.",
  rules: [whole(aList)],
  items: { name: "service", entry: service },
};
