import type { TObject, TSchema } from "@sinclair/typebox";
import { exceedsLength } from "../../lib/text/text.ts";
import { numberedItems } from "../body/brackets.ts";
import {
  anythingCoercion,
  type Coercion,
  holdsMoreParts,
  refuse,
  refused,
  refuseItems,
  scalarCoercion,
  shownLengthMax,
} from "./coercion.ts";
import { itemsMax, mapKeyCharactersMax } from "./parameter-limits.ts";
import { Refusals } from "./refusals.ts";
import {
  alternativesOf,
  enumerationOf,
  isAnything,
  isNullable,
  optionsOf,
  takesEmptyText,
  withoutNull,
} from "./schema-introspection.ts";
import { unknownKeyRefusal } from "./unknown-keys.ts";
import { isHash, ownValue, type RawValue } from "./values.ts";

/** The compiled reader of a declared type. */
interface Reading {
  /** True when null is a value, not the absence of one. */
  readonly keepsNull: boolean;
  readonly takesEmptyText: boolean;
  readonly coerce: Coercion;
}

/** A declared parameter, or a declared member of a hash. */
export interface Field extends Reading {
  readonly name: string;
  readonly isRequired: boolean;
  readonly mayBeBlank: boolean;
  /** A required boolean that is null is empty, not missing (rest-conventions 2.4). */
  readonly isBoolean: boolean;
}

/** Returns the members of a declared hash in declaration order. */
export function compileFields(schema: TObject): readonly Field[] {
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    isRequired: schema.required?.includes(name) ?? false,
    mayBeBlank: optionsOf(property).allowBlank !== false,
    isBoolean: withoutNull(property).type === "boolean",
    ...compileReading(property),
  }));
}

/** Returns the value of a field: undefined when absent, `refused` after adding an error to `refusals`. */
export function readField(field: Field, raw: RawValue | undefined, label: string, refusals: Refusals): unknown {
  if (raw === undefined) {
    if (field.isRequired) refuseMissing(label, refusals);
    // The platform makes both checks of a required parameter that may not be blank.
    if (field.isRequired && !field.mayBeBlank) refusals.add(`${label} is empty`);
    return undefined;
  }
  if (isNull(field, raw)) return readNull(field, label, refusals);
  const value = field.coerce(raw, label, refusals);
  return field.mayBeBlank || !isBlank(value) ? value : refuse(`${label} is empty`, refusals);
}

function readNull(field: Field, label: string, refusals: Refusals): unknown {
  if (field.keepsNull) return null;
  if (!field.mayBeBlank || (field.isRequired && field.isBoolean)) return refuse(`${label} is empty`, refusals);
  return field.isRequired ? refuseMissing(label, refusals) : undefined;
}

function refuseMissing(label: string, refusals: Refusals): undefined {
  refusals.addMissing(label);
}

function isNull(reading: Reading, raw: RawValue): raw is null {
  return raw === null || (raw === "" && !reading.takesEmptyText);
}

function isBlank(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  return Array.isArray(value) && value.length === 0;
}

function compileReading(schema: TSchema): Reading {
  return {
    keepsNull: isNullable(schema) || isAnything(schema),
    takesEmptyText: takesEmptyText(schema),
    coerce: compileCoercion(withoutNull(schema)),
  };
}

function compileCoercion(schema: TSchema): Coercion {
  if (isAnything(schema)) return anythingCoercion;
  if (enumerationOf(schema) !== undefined) return scalarCoercion(schema);
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 1) return firstThatFits(alternatives.map(compileCoercion));
  if (schema.type === "array") return listCoercion(schema);
  if (schema.type !== "object") return scalarCoercion(schema);
  const [members] = Object.values<TSchema>(schema.patternProperties ?? {});
  return members === undefined ? hashCoercion(schema as TObject) : mapCoercion(members);
}

function firstThatFits(coercions: readonly Coercion[]): Coercion {
  return (raw, label, refusals) => {
    for (const coerce of coercions) {
      const value = coerce(raw, label, new Refusals());
      if (value !== refused) return value;
    }
    return refuse(`${label} is invalid`, refusals);
  };
}

/**
 * Returns the coercion of an array. Errors of plain elements name the array, errors inside of hashes name `outer[0][inner]`.
 */
function listCoercion(schema: TSchema): Coercion {
  const item = compileReading(schema.items);
  const holdsHashes = schema.items.type === "object";
  const isSplit = optionsOf(schema).split === true;
  const isSingle = schema.maxItems === 1;
  const max = isSingle ? itemsMax : (schema.maxItems ?? itemsMax);
  return (raw, label, refusals) => {
    if (countOf(raw) > max) return refuseItems(label, max, refusals);
    const rawItems = itemsOf(raw, holdsHashes);
    if (rawItems === undefined) return refuse(`${label} is invalid`, refusals);
    if (isSplit && holdsMoreParts(rawItems.filter(isText).join(), max)) return refuseItems(label, max, refusals);
    const items = (isSplit ? rawItems.flatMap(splitText) : rawItems).filter((value) => !isNull(item, value));
    if (isSingle && items.length > 1) {
      const found = items.join(", ");
      const shown = found.length > shownLengthMax ? `${found.slice(0, shownLengthMax).toWellFormed()}…` : found;
      return refuse(`${label} allows one value, but found ${items.length}: ${shown}`, refusals);
    }
    return items.map((value, index) => item.coerce(value, holdsHashes ? `${label}[${index}]` : label, refusals));
  };
}

/** Returns the least number of elements of a raw value, without reading them. */
function countOf(raw: RawValue): number {
  if (Array.isArray(raw)) return raw.length;
  return isHash(raw) ? Object.keys(raw).length : 1;
}

function isText(raw: RawValue): raw is string {
  return typeof raw === "string";
}

/** Returns the elements of a raw value. A single value is an array of one, unless elements are hashes. */
function itemsOf(raw: RawValue, holdsHashes: boolean): readonly RawValue[] | undefined {
  if (Array.isArray(raw)) return raw;
  if (isHash(raw)) return numberedItems(raw);
  return holdsHashes ? undefined : [raw];
}

function splitText(value: RawValue): RawValue[] {
  if (typeof value !== "string") return [value];
  return value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function hashCoercion(schema: TObject): Coercion {
  const fields = compileFields(schema);
  const refuseUnknown = unknownKeyRefusal(schema);
  return (raw, label, refusals) => {
    if (!isHash(raw)) return refuse(`${label} is invalid`, refusals);
    refuseUnknown?.(Object.keys(raw), (key) => `${label}[${key}]`, refusals);
    const result: Record<string, unknown> = {};
    for (const field of fields) {
      const value = readField(field, ownValue(raw, field.name), `${label}[${field.name}]`, refusals);
      if (value !== undefined) result[field.name] = value;
    }
    return result;
  };
}

/** Returns the coercion of a hash with any keys. Errors of its members name the whole hash. */
function mapCoercion(members: TSchema): Coercion {
  const member = compileReading(members);
  return (raw, label, refusals) => {
    if (!isHash(raw)) return refuse(`${label} is invalid`, refusals);
    const keys = Object.keys(raw);
    if (keys.length > itemsMax) return refuseItems(label, itemsMax, refusals);
    if (keys.some((key) => exceedsLength(key, mapKeyCharactersMax))) {
      return refuse(`${label} has a key that is too long (maximum is ${mapKeyCharactersMax} characters)`, refusals);
    }
    const entries = Object.entries(raw).filter(([, value]) => member.keepsNull || !isNull(member, value));
    return Object.fromEntries(
      entries.map(([key, value]) => [key, isNull(member, value) ? null : member.coerce(value, label, refusals)]),
    );
  };
}
