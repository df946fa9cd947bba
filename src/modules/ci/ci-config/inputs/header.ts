/** The header of a CI file: `spec:`, with the inputs that the file takes. */

import type { Budget } from "../budget.ts";
import { inspect } from "../ruby-values.ts";
import { CiFileError, isMapping, type Mapping } from "../values.ts";

export const inputTypes = ["array", "boolean", "number", "string"] as const;
export type InputType = (typeof inputTypes)[number];

/** Applies in place of the input's own options and default, if it is the first whose condition is true. */
export interface InputRule {
  readonly if: string | undefined;
  readonly options: readonly unknown[] | undefined;
  /** undefined: the rule has none. */
  readonly default: unknown;
}

/** One input, as `spec: inputs` describes it. */
export interface InputSpec {
  readonly name: string;
  readonly type: InputType;
  /** undefined: a value is required. */
  readonly default: unknown;
  readonly options: readonly unknown[] | undefined;
  /** undefined: any text will do. */
  readonly regex: string | undefined;
  readonly rules: readonly InputRule[] | undefined;
}

/** The header of a file. */
export interface Header {
  readonly inputs: readonly InputSpec[];
  /** Facts about the component that the file may ask for. */
  readonly component: readonly string[];
  /** Files with further inputs. */
  readonly include: unknown;
}

export const noHeader: Header = { inputs: [], component: [], include: undefined };

const componentFacts = ["name", "sha", "version", "reference"];
const specKeys = ["inputs", "component", "include"];
const inputKeys = ["default", "description", "options", "regex", "type", "rules"];
const ruleKeys = ["if", "options", "default"];
const optionsMax = 50;
/** Inputs of one file, and rules of one input. */
const [inputsMax, rulesMax] = [500, 50];
/** Faults that one message names. */
const faultsMax = 3;
const stepsPerInput = 20;
const inputName = /\$\[\[\s*inputs\.([\w-]+)\s*\]\]/g;

/** Throws one error with the first faults, if there are any. */
export function requireNoFaults(faults: readonly string[]): void {
  if (faults.length > 0) throw new CiFileError(faults.slice(0, faultsMax).join(", "));
}

/** The header document of a file. Throws `CiFileError`. */
export function readHeader(header: Mapping, budget: Budget): Header {
  const faults: string[] = [];
  unknownKeys(header, ["spec"], "header", faults);
  const spec = header.spec ?? {};
  if (!isMapping(spec)) throw new CiFileError("header:spec config should be a hash");
  unknownKeys(spec, specKeys, "header:spec", faults);
  const component = componentOf(spec.component, faults);
  const inputs = inputsOf(spec.inputs, "header:spec:inputs", budget, faults);
  requireNoFaults(faults);
  return { inputs, component, include: spec.include ?? undefined };
}

/** `inputs:` of a header, or of a file that a header includes. */
export function inputsOf(value: unknown, place: string, budget: Budget, faults: string[]): InputSpec[] {
  if (value === undefined || value === null) return [];
  if (!isMapping(value)) {
    faults.push(`${place} config should be a hash`);
    return [];
  }
  const entries = Object.entries(value);
  if (entries.length > inputsMax) throw new CiFileError(`${place} config has too many entries (maximum ${inputsMax})`);
  budget.charge(entries.length * stepsPerInput);
  const inputs = entries.map(([name, spec]) => inputOf(name, spec, `${place}:${name}`, budget, faults));
  checkReferences(inputs, place, faults);
  return inputs;
}

function inputOf(name: string, value: unknown, place: string, budget: Budget, faults: string[]): InputSpec {
  const spec = value ?? {};
  if (!isMapping(spec)) {
    faults.push(`${place} config should be a hash`);
    return { name, type: "string", default: undefined, options: undefined, regex: undefined, rules: undefined };
  }
  unknownKeys(spec, inputKeys, place, faults);
  const { description, regex, options } = spec;
  if (isMapping(description) || Array.isArray(description)) {
    faults.push(`${place} input description must be an alphanumeric string`);
  }
  if (isGiven(regex) && typeof regex !== "string") faults.push(`${place} input regex should be a string`);
  const type = inputTypes.find((each) => each === spec.type);
  if (isGiven(spec.type) && type === undefined) {
    faults.push(`${place} input type unknown value: ${shown(spec.type, budget)}`);
  }
  if (isGiven(options) && !Array.isArray(options)) faults.push(`${place} input options should be a array`);
  checkOptions(options, place, faults);
  return {
    name,
    type: type ?? "string",
    default: Object.hasOwn(spec, "default") ? spec.default : undefined,
    options: Array.isArray(options) ? options : undefined,
    regex: typeof regex === "string" ? regex : undefined,
    rules: rulesOf(spec.rules, `${place}:rules`, faults),
  };
}

function rulesOf(value: unknown, place: string, faults: string[]): InputRule[] | undefined {
  if (!isGiven(value)) return undefined;
  if (!Array.isArray(value)) {
    faults.push(`${place} config should be a array`);
    return undefined;
  }
  if (value.length > rulesMax) throw new CiFileError(`${place} config has too many entries (maximum ${rulesMax})`);
  return value.map((rule) => ruleOf(rule, `${place}:rule`, faults));
}

function ruleOf(rule: unknown, place: string, faults: string[]): InputRule {
  if (!isMapping(rule)) {
    faults.push(`${place} config should be a hash`);
    return { if: undefined, options: undefined, default: undefined };
  }
  unknownKeys(rule, ruleKeys, place, faults);
  const { if: condition, options } = rule;
  const hasDefault = Object.hasOwn(rule, "default");
  if (isGiven(condition) && typeof condition !== "string") faults.push(`${place} if should be a string`);
  if (isGiven(options) && !Array.isArray(options)) faults.push(`${place} options should be a array`);
  checkOptions(options, place, faults);
  if (isGiven(condition) && !isGiven(options) && !hasDefault) {
    faults.push(`${place} config rule with 'if' must define 'options' or 'default'`);
  }
  if (!isGiven(condition) && !isGiven(options)) faults.push(`${place} config fallback rule must define 'options'`);
  return {
    if: typeof condition === "string" ? condition : undefined,
    options: Array.isArray(options) ? options : undefined,
    default: hasDefault ? rule.default : undefined,
  };
}

function checkOptions(options: unknown, place: string, faults: string[]): void {
  if (Array.isArray(options) && options.length > optionsMax) {
    faults.push(`${place} config cannot define more than ${optionsMax} options`);
  }
}

/** The rules of an input name inputs of the same file, in no circle. */
function checkReferences(inputs: readonly InputSpec[], place: string, faults: string[]): void {
  const known = new Set(inputs.map(({ name }) => name));
  const named = new Map<string, readonly string[]>();
  for (const { name, rules = [] } of inputs) {
    rules.forEach((rule, at) => {
      const missing = inputsIn(rule).filter((each) => !known.has(each));
      if (missing.length === 0) return;
      faults.push(`${place}:${name} config rule[${at}] references undefined inputs: ${missing.join(", ")}`);
    });
    named.set(name, rules.flatMap(inputsIn));
  }
  if (hasCircle(named)) faults.push(`${place}:${inputs[0]?.name} config circular dependency detected`);
}

function inputsIn({ if: condition = "" }: InputRule): string[] {
  return [...new Set([...condition.matchAll(inputName)].map(([, name = ""]) => name))];
}

/** Removes what leads to nothing that is left, until that is nothing. */
function hasCircle(edges: ReadonlyMap<string, readonly string[]>): boolean {
  const left = new Map(edges);
  for (let count = -1; count !== left.size; ) {
    count = left.size;
    for (const [name, targets] of left) if (!targets.some((target) => left.has(target))) left.delete(name);
  }
  return left.size > 0;
}

function componentOf(value: unknown, faults: string[]): string[] {
  if (!isGiven(value)) return [];
  const place = "header:spec:component";
  if (!Array.isArray(value)) {
    faults.push(`${place} config should be a array`);
    return [];
  }
  if (!value.every((each) => typeof each === "string")) {
    faults.push(`${place} config should be an array of strings`);
    return [];
  }
  const unknown = value.filter((each) => !componentFacts.includes(each));
  if (unknown.length > 0) faults.push(`${place} config contains unknown values: ${unknown.join(", ")}`);
  return value;
}

function unknownKeys(mapping: Mapping, known: readonly string[], place: string, faults: string[]): void {
  const unknown = Object.keys(mapping).filter((key) => !known.includes(key));
  if (unknown.length > 0) faults.push(`${place} config contains unknown keys: ${unknown.join(", ")}`);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function shown(value: unknown, budget: Budget): string {
  return typeof value === "string" ? value : inspect(value, budget);
}
