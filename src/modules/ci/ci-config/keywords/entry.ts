/** The parts of the table of keywords: what a value has to be, in which words a fault is told, and what editors are told. */

import type { Budget } from "../budget.ts";
import { ExactNumber, textOf } from "../ruby-values.ts";
import type { Patterns } from "../rules/patterns.ts";
import { isMapping, type Mapping } from "../values.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The facts that checks need beside the value. */
export interface CheckTools {
  readonly budget: Budget;
  readonly patterns: Patterns;
  /** Expressions that were looked at, and whether they are any: many jobs have the same. */
  readonly expressions: Map<string, boolean>;
}

/** One requirement of a value. */
export interface Check {
  /** Returns what is wrong, in words that follow the name of the value. */
  faults(value: unknown, tools: CheckTools): readonly string[];
  /** The same requirement for editors, as far as JSON Schema can say it. */
  readonly schema: JsonSchema;
  /** The key of a mapping that is to blame; undefined: the value itself. */
  blamed?(value: unknown): string | undefined;
}

/** Checks of the value itself, or of one key of it. */
export interface Rule {
  /** undefined: the value itself. */
  readonly key: string | undefined;
  readonly checks: readonly Check[];
  /** A key without a value is not checked. */
  readonly isOptional: boolean;
  /** The rule holds for some values. */
  readonly if?: (value: unknown) => boolean;
  /** The checked value, where it is not that of the key. */
  readonly subjectOf?: (value: unknown) => unknown;
  /** The subject of faults, where it is not the key. */
  readonly label?: string;
}

/** A rule that needs the values of keys: `isRead` says that the other rules found nothing. */
export type LastRule = (
  value: Mapping,
  isRead: boolean,
) => { readonly key?: string; readonly fault: string } | undefined;

/** One keyword, or one place below it, in the table. */
export interface Entry {
  /** For editors. */
  readonly description?: string;
  readonly rules?: readonly Rule[];
  readonly lastRules?: readonly LastRule[];
  /** Keywords with entries of their own, in the order in which their faults are told. */
  readonly keys?: Readonly<Record<string, Entry>>;
  /** A list, or one item alone; lists in lists count as one. */
  readonly items?: { readonly name: string; readonly entry: Entry };
  /** A mapping of names that the author chooses. */
  readonly values?: Entry;
  /** The value is one of several kinds; the first that fits is checked. */
  readonly variants?: readonly Variant[];
  /** The fault of a value that is no variant. */
  readonly otherwise?: string;
  /** The name in faults of the value itself, where it is not its keyword; the entries below have no part of it then. */
  readonly ownName?: string;
  /** A word before the names of keys in faults. */
  readonly attributePrefix?: string;
  /** The name in faults of the value itself, told without those above it. */
  readonly alone?: string;
}

export interface Variant {
  readonly kind: Kind;
  /** Only some mappings are this variant. */
  readonly if?: (mapping: Mapping) => boolean;
  readonly entry: Entry;
}

export type Kind = "text" | "mapping" | "list" | "boolean" | "integer" | "number" | "scalar";

const kinds: Readonly<Record<Kind, { is(value: unknown): boolean; schema: JsonSchema }>> = {
  text: { is: (value) => typeof value === "string", schema: { type: "string" } },
  mapping: { is: isMapping, schema: { type: "object" } },
  list: { is: Array.isArray, schema: { type: "array" } },
  boolean: { is: (value) => typeof value === "boolean", schema: { type: "boolean" } },
  integer: { is: isInteger, schema: { type: "integer" } },
  number: { is: (value) => typeof value === "number" || value instanceof ExactNumber, schema: { type: "number" } },
  scalar: {
    is: (value) => textOf(value) !== undefined,
    schema: { type: ["string", "number", "boolean"] },
  },
};

function isInteger(value: unknown): boolean {
  return value instanceof ExactNumber ? value.isInteger : Number.isSafeInteger(value);
}

export function isKind(value: unknown, kind: Kind): boolean {
  return kinds[kind].is(value);
}

export function schemaOfKind(kind: Kind): JsonSchema {
  return kinds[kind].schema;
}

/** The value itself has to pass the checks. */
export function whole(...checks: readonly Check[]): Rule {
  return { key: undefined, checks, isOptional: false };
}

/** A key has to pass the checks where it has a value. */
export function key(name: string, ...checks: readonly Check[]): Rule {
  return { key: name, checks, isOptional: true };
}

/** A key has to pass the checks, and to be there. */
export function needed(name: string, ...checks: readonly Check[]): Rule {
  return { key: name, checks, isOptional: false };
}

/** A rule that holds for some values. */
export function ruleIf(condition: (value: Mapping) => boolean, rule: Rule): Rule {
  return { ...rule, if: (value) => isMapping(value) && condition(value) };
}

/** The subject of a fault: `config`, or a key in words. */
export function labelOf({ attributePrefix }: Entry, name: string | undefined): string {
  if (name === undefined) return "config";
  return [attributePrefix, name.replaceAll("_", " ")].filter(Boolean).join(" ");
}
