/** The values of the inputs of one file: the given ones, and defaults. */

import type { Budget } from "../budget.ts";
import { inspect, textOf } from "../ruby-values.ts";
import { evaluateExpression } from "../rules/expressions.ts";
import { invalidSyntax, Patterns } from "../rules/patterns.ts";
import { CiFileError, type Mapping } from "../values.ts";
import { type InputSpec, type InputType, requireNoFaults } from "./header.ts";

/** Values by name, as the file may ask for them. */
export type InputValues = ReadonlyMap<string, unknown>;

/** Throws `CiFileError` for values that the inputs do not take. */
export function resolveInputs(specs: readonly InputSpec[], given: Mapping, budget: Budget): InputValues {
  const known = new Set(specs.map(({ name }) => name));
  const unknown = Object.keys(given).filter((name) => !known.has(name));
  const faults = unknown.length > 0 ? [`unknown input arguments: ${unknown.join(", ")}`] : [];
  const patterns = new Patterns(budget);
  const values = new Map<string, unknown>();
  for (const spec of specs) {
    const param = Object.hasOwn(given, spec.name) ? given[spec.name] : undefined;
    values.set(spec.name, inputValue(spec, param ?? undefined, { faults, budget, patterns, values, given }));
  }
  requireNoFaults(faults);
  return values;
}

interface Resolution {
  readonly faults: string[];
  readonly budget: Budget;
  readonly patterns: Patterns;
  /** Inputs before this one. */
  readonly values: InputValues;
  readonly given: Mapping;
}

function inputValue(spec: InputSpec, param: unknown, resolution: Resolution): unknown {
  const { name, type, rules } = spec;
  const { budget } = resolution;
  const fault = (text: string) => resolution.faults.push(`\`${name}\` input: ${text}`);
  const rule = rules?.find(({ if: condition }) => condition === undefined || isTrue(condition, resolution));
  const standard = rule?.default === undefined ? spec.default : rule.default;
  const isOptional =
    spec.default !== undefined || rules?.some((each) => each.default !== undefined || each.if === undefined) === true;
  if (param === undefined && !isOptional) {
    fault("required value has not been provided");
    return undefined;
  }
  const check = (value: unknown, kind: "default" | "provided") => {
    const coerced = coerce(value, type, budget);
    checkType(coerced, type, kind, fault);
    checkOptions(coerced, rule?.options ?? spec.options, type, fault);
    checkRegex(coerced, spec, kind, resolution.patterns, fault);
    return coerced;
  };
  const byDefault = standard === undefined ? coerce(null, type, budget) : check(standard, "default");
  return param === undefined ? byDefault : check(param, "provided");
}

/** Conditions read inputs as texts, as variables are. */
function isTrue(condition: string, { values, given, patterns }: Resolution): boolean {
  const get = (key: string) => {
    const name = key.replace(/^inputs\./, "");
    const value = values.get(name) ?? (Object.hasOwn(given, name) ? given[name] : undefined);
    return key === name ? undefined : textOf(value);
  };
  return evaluateExpression(condition, { get }, patterns);
}

/** A text may stand for a value of another type, as JSON. */
function coerce(value: unknown, type: InputType, budget: Budget): unknown {
  if (type === "string") return value === null ? "" : (textOf(value) ?? inspect(value, budget));
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const isNumber = (value: unknown) =>
  typeof value === "number" || (isScalarObject(value) && textOf(value) !== undefined);

function isScalarObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

const typeChecks: Readonly<Record<InputType, { readonly is: (value: unknown) => boolean; readonly name: string }>> = {
  array: { is: Array.isArray, name: "an array" },
  boolean: { is: (value) => typeof value === "boolean", name: "a boolean" },
  number: { is: isNumber, name: "a number" },
  string: { is: (value) => typeof value === "string", name: "a string" },
};

function checkType(value: unknown, type: InputType, kind: string, fault: (text: string) => void): void {
  const { is, name } = typeChecks[type];
  if (!is(value)) fault(`${kind} value is not ${name}`);
}

function checkOptions(
  value: unknown,
  options: readonly unknown[] | undefined,
  type: InputType,
  fault: (text: string) => void,
): void {
  if (options === undefined) return;
  if (type !== "string" && type !== "number") {
    fault("Options can only be used with string and number inputs");
    return;
  }
  const isText = type === "string";
  const text = textOf(value);
  const isAllowed = options.some((option) => {
    if (isText) return textOf(option) === text;
    return isNumber(option) && Number(textOf(option)) === Number(text);
  });
  if (isAllowed || text === undefined) return;
  fault(`\`${text}\` cannot be used because it is not in the list of ${isText ? "" : "the "}allowed options`);
}

function checkRegex(
  value: unknown,
  { regex, type }: InputSpec,
  kind: string,
  patterns: Patterns,
  fault: (text: string) => void,
): void {
  if (regex === undefined) return;
  if (type !== "string") {
    fault("RegEx validation can only be used with string inputs");
    return;
  }
  try {
    if (patterns.matches({ source: regex, flags: "" }, String(value))) return;
    fault(`${kind} value does not match required RegEx pattern`);
  } catch (error) {
    if (!(error instanceof CiFileError) || error.message !== invalidSyntax) throw error;
    fault("invalid regular expression");
  }
}
