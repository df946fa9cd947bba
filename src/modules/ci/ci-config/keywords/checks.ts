/** Checks of single values. */

import { durationSecondsOf } from "../../../../lib/text/ci-durations.ts";
import { inspect, textOf } from "../ruby-values.ts";
import { evaluateExpression } from "../rules/expressions.ts";
import { invalidSyntax, type Patterns, readPattern } from "../rules/patterns.ts";
import { CiFileError, isMapping } from "../values.ts";
import { type Check, type CheckTools, isKind, type JsonSchema, type Kind, schemaOfKind } from "./entry.ts";

/** A check that says one thing. */
function check(fault: string, isGood: (value: unknown) => boolean, schema: JsonSchema = {}): Check {
  return { faults: (value) => (isGood(value) ? [] : [fault]), schema };
}

/** Words of the platform, whose types are classes: `a array`. */
const kindWords = { text: "string", mapping: "hash", list: "array", integer: "integer" } as const;

export function kindOf(kind: keyof typeof kindWords, fault = `should be a ${kindWords[kind]}`): Check {
  return check(fault, (value) => isKind(value, kind), schemaOfKind(kind));
}

export const aText = kindOf("text");
export const aMapping = kindOf("mapping");
export const aList = kindOf("list");
export const aBoolean = check("should be a boolean value", (value) => isKind(value, "boolean"), { type: "boolean" });

function oneKindOf(fault: string, ...kinds: readonly Kind[]): Check {
  return check(fault, (value) => kinds.some((kind) => isKind(value, kind)), {
    type: kinds.flatMap((kind) => [schemaOfKind(kind).type].flat()),
  });
}

export const mappingOrText = oneKindOf("should be a hash or a string", "mapping", "text");
export const mappingOrBoolean = oneKindOf("should be a hash or a boolean value", "mapping", "boolean");
export const mappingOrInteger = oneKindOf("should be a hash or an integer", "mapping", "integer");
export const mappingOrList = oneKindOf("can only be a hash or an array", "mapping", "list");
export const listOrText = oneKindOf("should be an array or a string", "list", "text");
export const aScalar = oneKindOf("must be a scalar", "scalar");
export const alphanumeric = oneKindOf("must be an alphanumeric string", "text", "integer");

function isListOf(value: unknown, kind: Kind): boolean {
  return Array.isArray(value) && value.every((item) => isKind(item, kind));
}

const listOfTexts = { type: "array", items: { type: "string" } };
const textOrList = { anyOf: [{ type: "string" }, listOfTexts] };

export const texts = check("should be an array of strings", (value) => isListOf(value, "text"), listOfTexts);
export const textOrTexts = check(
  "should be an array of strings or a string",
  (value) => isKind(value, "text") || isListOf(value, "text"),
  textOrList,
);
export const integers = check(
  "should be an array of integers or an integer",
  (value) => isKind(value, "integer") || isListOf(value, "integer"),
  { anyOf: [{ type: "integer" }, { type: "array", items: { type: "integer" } }] },
);
export const mappings = check("should be an array of hashes", (value) => isListOf(value, "mapping"), {
  type: "array",
  items: { type: "object" },
});

/** Lists may hold lists, as `!reference` and anchors make them. */
const nestingMax = 10;

function isNested(value: unknown, kind: Kind, depth = nestingMax): boolean {
  if (!Array.isArray(value)) return false;
  return value.every((item) => isKind(item, kind) || (depth > 1 && isNested(item, kind, depth - 1)));
}

const nestedTexts = { type: "array", items: { anyOf: [{ type: "string" }, { type: "array" }] } };
const levels = `a nested array of strings up to ${nestingMax} levels deep`;

export const listedTexts = check(
  `should be an array of strings or ${levels}`,
  (value) => isNested(value, "text"),
  nestedTexts,
);
export const commands = check(
  `should be a string or ${levels}`,
  (value) => isKind(value, "text") || isNested(value, "text"),
  { anyOf: [{ type: "string" }, nestedTexts] },
);
export const listedMappings = check(
  "should be an array containing hashes and arrays of hashes",
  (value) => isNested(value, "mapping"),
  { type: "array" },
);

export const present = check("can't be blank", isPresent);
export const absent = (fault = "must be blank") => check(fault, (value) => !isPresent(value));

/** Whether there is more than nothing, an empty text, list or mapping, or `false`. */
export function isPresent(value: unknown): boolean {
  if (typeof value === "string") return value.trim() !== "";
  if (Array.isArray(value)) return value.length > 0;
  return isMapping(value) ? Object.keys(value).length > 0 : value !== undefined && value !== null && value !== false;
}

/** The value is one of these. */
export function oneOf(values: readonly string[], fault = "is not included in the list"): Check {
  return check(fault, (value) => values.includes(value as string), { enum: values });
}

/** As `oneOf`, in the words that name the value. */
export function knownValue(values: readonly string[]): Check {
  return {
    faults(value, { budget }) {
      const text = textOf(value) ?? inspect(value, budget);
      return values.includes(text) ? [] : [`unknown value: ${text}`];
    },
    schema: { enum: values },
  };
}

/** Every item of a list is one of these. */
export function knownItems(values: readonly string[]): Check {
  const known = new Set<unknown>(values);
  return {
    faults(value, { budget }) {
      const unknown = Array.isArray(value) ? value.filter((item) => !known.has(item)) : [];
      return unknown.length === 0
        ? []
        : [`contains unknown values: ${unknown.map((item) => textOf(item) ?? inspect(item, budget)).join(", ")}`];
    },
    schema: {},
  };
}

export function textLike(pattern: RegExp, fault: string): Check {
  return {
    faults(value, { budget }) {
      return pattern.test(textOf(value) ?? inspect(value ?? "", budget)) ? [] : [fault];
    },
    schema: { pattern: pattern.source },
  };
}

/** A list or text of at most so many items or characters. */
export function atMost(count: number, fault: string): Check {
  const isShort = (value: unknown) => !(typeof value === "string" || Array.isArray(value)) || value.length <= count;
  return check(fault, isShort, { maxItems: count, maxLength: count });
}

export function charactersAtMost(count: number): Check {
  return atMost(count, `is too long (maximum is ${count} characters)`);
}

export function entriesAtMost(count: number): Check {
  return atMost(count, `has too many entries (maximum ${count})`);
}

/** An integer between two limits. */
export function integerBetween(min: number, max: number): Check {
  const faultOf = (value: unknown) => {
    if (!isKind(value, "number")) return "is not a number";
    if (!isKind(value, "integer")) return "must be an integer";
    const number = Number(textOf(value));
    if (number < min) return `must be greater than or equal to ${min}`;
    return number > max ? `must be less than or equal to ${max}` : undefined;
  };
  return {
    faults: (value) => [faultOf(value) ?? []].flat(),
    schema: { type: "integer", minimum: min, maximum: max },
  };
}

/** A text as `1 hour 30 minutes`; `never` where the value is a time of keeping. */
export function duration({ secondsMax, hasNever = false }: { secondsMax?: number; hasNever?: boolean } = {}): Check {
  return {
    faults(value) {
      if (hasNever && typeof value === "string" && value.toLowerCase() === "never") return [];
      const seconds = typeof value === "string" ? durationSecondsOf(value) : undefined;
      const isTooLong = secondsMax !== undefined && (seconds === undefined || seconds > secondsMax);
      return [
        ...(seconds === undefined || seconds === 0 ? ["should be a duration"] : []),
        ...(isTooLong ? ["should not exceed the limit"] : []),
      ];
    },
    schema: { type: "string" },
  };
}

/** `$CI_COMMIT_BRANCH == "main"`. */
export const expression: Check = {
  faults: (value, tools) => (isExpression(value, tools) ? [] : [invalidSyntax]),
  schema: { type: "string" },
};

function isExpression(value: unknown, { patterns, expressions: looked }: CheckTools): boolean {
  if (typeof value !== "string") return false;
  const isGood = looked.get(value) ?? canBeEvaluated(value, patterns);
  looked.set(value, isGood);
  return isGood;
}

function canBeEvaluated(text: string, patterns: Patterns): boolean {
  try {
    evaluateExpression(text, new Map(), patterns);
    return true;
  } catch (error) {
    if (error instanceof CiFileError && error.message === invalidSyntax) return false;
    throw error;
  }
}

/** A list of expressions; other lists are refused by another check. */
export const expressions: Check = {
  faults(value, tools) {
    const isGood = !Array.isArray(value) || value.every((item) => isExpression(item, tools));
    return isGood ? [] : [invalidSyntax];
  },
  schema: {},
};

/** `/x/`. */
export const regularExpression: Check = {
  faults(value, { patterns }) {
    const pattern = typeof value === "string" ? readPattern(value) : undefined;
    const isGood = pattern !== undefined && patterns.isValid(pattern);
    return isGood ? [] : ["must be a regular expression with re2 syntax"];
  },
  schema: { type: "string", pattern: "^/.*/[ismU]*$" },
};

/** Names of refs, and patterns of them. */
export const refs: Check = {
  faults(value, { patterns }) {
    const isGood = (item: unknown) => {
      if (typeof item !== "string") return false;
      const pattern = readPattern(item);
      return pattern === undefined || patterns.isValid(pattern);
    };
    return Array.isArray(value) && value.every(isGood)
      ? []
      : ["should be an array of strings or regular expressions using re2 syntax"];
  },
  schema: listOfTexts,
};

/** The name of a cache is a part of a path. */
export const cacheName: Check = {
  faults(value) {
    if (typeof value !== "string") return ["should be a string or symbol"];
    const path = unescaped(value);
    if (path.includes("/")) return ['cannot contain the "/" character'];
    return path === "." || path === ".." ? ['cannot be "." or ".."'] : [];
  },
  schema: { type: "string" },
};

function unescaped(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
