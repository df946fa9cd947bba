/** The values of a CI file, and errors about them. */

import type { Budget } from "./budget.ts";
import { ExactNumber, inspect, textOf } from "./ruby-values.ts";

const messageLengthMax = 1000;

/** An error in a CI file; the message is the text in `yaml_errors`. */
export class CiFileError extends Error {
  override readonly name: string = "CiFileError";

  /** @param message may quote the file: it is cut to a limit */
  constructor(message: string, options?: ErrorOptions) {
    const isLong = message.length > messageLengthMax;
    super(isLong ? `${message.slice(0, messageLengthMax).toWellFormed()}…` : message, options);
  }
}

/** All that is wrong in a CI file, as far as it was looked at; the message is the first. */
export class CiFileFaults extends CiFileError {
  override readonly name = "CiFileFaults";
  readonly faults: readonly string[];

  constructor(faults: readonly [string, ...string[]]) {
    super(faults[0]);
    this.faults = faults;
  }
}

/** A mapping of the file. */
export type Mapping = Readonly<Record<string, unknown>>;

/** `!reference [name, keyword]`, before it is resolved. */
export class Reference {
  static readonly tag = "!reference";
  /** undefined: it is not a list of texts. */
  readonly path: readonly string[] | undefined;
  /** As error messages name it. */
  readonly shown: string;

  /** @param value whatever stands behind the tag */
  constructor(value: unknown, budget: Budget) {
    const isPath = Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === "string");
    this.path = isPath ? value : undefined;
    this.shown = `${Reference.tag} ${value === "" || isEmptyMapping(value) ? "[]" : inspect(value, budget)}`;
  }
}

function isEmptyMapping(value: unknown): boolean {
  return isMapping(value) && Object.keys(value).length === 0;
}

export function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isLeaf(value);
}

/** Whether an object of the file is no mapping. */
function isLeaf(value: object): boolean {
  return value instanceof Reference || value instanceof ExactNumber;
}

/** Lists may hold lists, as `!reference` and anchors make them; a text alone is a list of one. */
export function textsOf(value: unknown, label = "value"): string[] {
  if (value === undefined || value === null) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value.flat(10) : [value];
  return items.map((item) => {
    const text = textOf(item);
    if (text !== undefined) return text;
    throw new CiFileError(`${label} config should be a string or a nested array of strings up to 10 levels deep`);
  });
}

/** `variables:` of the file, of a job or of a rule: `KEY: value` or `KEY: { value, description }`. */
export function variablesOf(value: unknown): Record<string, string> {
  const entries = Object.entries(isMapping(value) ? value : {}).map(([key, given]) => {
    return [key, textOf(isMapping(given) ? given.value : given) ?? ""] as const;
  });
  return Object.fromEntries(entries);
}

/** The names in `variables:` whose values are not expanded: `KEY: { value, expand: false }`. */
export function rawVariablesOf(value: unknown): Set<string> {
  const names = isMapping(value) ? Object.keys(value) : [];
  return new Set(names.filter((key) => isMapping(value) && isMapping(value[key]) && value[key].expand === false));
}

/** A text that is not empty; undefined for anything else. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function booleanOf(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}
