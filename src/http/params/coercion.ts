import type { TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { textCharactersMax } from "./parameter-limits.ts";
import type { Refusals } from "./refusals.ts";
import {
  mismatch,
  readBoolean,
  readDate,
  readDateTime,
  readFile,
  readInteger,
  readNumber,
  readSaturatedInteger,
  readText,
  readWrittenDate,
  type Scalar,
} from "./scalars.ts";
import { enumerationOf, optionsOf } from "./schema-introspection.ts";
import { isHash, type RawValue } from "./values.ts";

/** Stands for a value with an error in `refusals`. */
export const refused = Symbol("refused");

/**
 * Converts a non-null raw value into the declared type, or returns `refused`. Errors name it by `label`: `outer[0][inner]`.
 */
export type Coercion = (value: RawValue, label: string, refusals: Refusals) => unknown;

/** Returns the coercion of a single value. It checks the size, then the type, the excluded values and the constraints. */
export function scalarCoercion(schema: TSchema): Coercion {
  const coerce = sizedCoercion(schema);
  const valuesMax = optionsOf(schema).maxItems;
  const declaredMax: number | undefined = schema.maxLength;
  return (raw, label, refusals) => {
    if (declaredMax === undefined && isTooLong(raw)) return refuseLength(label, textCharactersMax, refusals);
    if (declaredMax !== undefined && typeof raw === "string" && raw.length > declaredMax) {
      return refuseLength(label, declaredMax, refusals);
    }
    if (valuesMax !== undefined && holdsMoreParts(raw, valuesMax)) return refuseItems(label, valuesMax, refusals);
    return coerce(raw, label, refusals);
  };
}

function sizedCoercion(schema: TSchema): Coercion {
  const values = enumerationOf(schema);
  if (values !== undefined) return enumerationCoercion(values);
  if (optionsOf(schema).integerNoneOrAny === true) return integerNoneOrAny;
  const read = scalarOf(schema);
  const except = optionsOf(schema).except ?? [];
  const meets = constraintOf(schema);
  const complaint = schema.type === "string" ? "is invalid" : "does not have a valid value";
  return (raw, label, refusals) => {
    const value = read(raw);
    if (value === mismatch) return refuse(`${label} is invalid`, refusals);
    if (except.some((excluded) => excluded === value)) return refuse(`${label} has a value not allowed`, refusals);
    return meets(value) ? value : refuse(`${label} ${complaint}`, refusals);
  };
}

export function refuse(text: string, refusals: Refusals): typeof refused {
  refusals.add(text);
  return refused;
}

/** No text with the allowed number of characters has more UTF-16 units. Services check the exact number. */
const lengthMax = 2 * textCharactersMax;

function isTooLong(raw: RawValue): boolean {
  return typeof raw === "string" && raw.length > lengthMax;
}

export function refuseLength(label: string, max: number, refusals: Refusals): typeof refused {
  return refuse(`${label} is too long (maximum is ${max} characters)`, refusals);
}

export function refuseItems(label: string, max: number, refusals: Refusals): typeof refused {
  return refuse(`${label} has too many values (maximum is ${max})`, refusals);
}

/** True when commas split a text into more than `max` parts. Counts before the text is split. */
export function holdsMoreParts(raw: RawValue, max: number): boolean {
  if (typeof raw !== "string") return false;
  let parts = 1;
  for (let at = raw.indexOf(","); at !== -1 && parts <= max; at = raw.indexOf(",", at + 1)) parts += 1;
  return parts > max;
}

/** Passes on a value without a declared type. Its texts together may be as long as one text. */
export const anythingCoercion: Coercion = (raw, label, refusals) =>
  textLengthOf(raw) > lengthMax ? refuseLength(label, textCharactersMax, refusals) : raw;

/** Returns the length of all texts and keys in a value. The limits bound its nesting. */
function textLengthOf(value: RawValue): number {
  if (typeof value === "string") return value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + textLengthOf(each), 0);
  if (!isHash(value)) return 0;
  return Object.entries(value).reduce((sum, [key, member]) => sum + key.length + textLengthOf(member), 0);
}

/** The characters of a value that an error repeats. */
export const shownLengthMax = 255;

/** Returns the coercion of an enumeration. If all members are numbers, the value must be a number first. */
function enumerationCoercion(values: readonly (string | number | boolean)[]): Coercion {
  const read: Scalar = values.every((value) => typeof value === "number") ? readNumber : readText;
  const members = new Map<unknown, unknown>(
    values.map((value) => [read === readNumber ? value : String(value), value]),
  );
  return (raw, label, refusals) => {
    const value = read(raw);
    if (value === mismatch) return refuse(`${label} is invalid`, refusals);
    return members.get(value) ?? refuse(`${label} does not have a valid value`, refusals);
  };
}

const integerNoneOrAny: Coercion = (raw, label, refusals) => {
  const text = readText(raw);
  if (text === mismatch) return refuse(`${label} is invalid`, refusals);
  const word = text.toLowerCase();
  if (word === "none" || word === "any") return word;
  const number = readInteger(text);
  if (number !== mismatch) return number;
  if (text.length > shownLengthMax) return refuse(`${label} is invalid`, refusals);
  return refuse(`${label} should be an integer, none, or any, however got ${text}`, refusals);
};

function scalarOf(schema: TSchema): Scalar {
  if (schema.contentMediaType !== undefined) return readFile;
  switch (schema.type) {
    case "string":
      if (schema.format === "date") return optionsOf(schema).takesTime === true ? readWrittenDate : readDate;
      return schema.format === "date-time" ? readDateTime : readText;
    case "integer":
      return optionsOf(schema).saturate === true ? readSaturatedInteger : readInteger;
    case "number":
      return readNumber;
    case "boolean":
      return readBoolean;
    default:
      throw new Error(`no parameter can be declared as ${JSON.stringify(schema)}`);
  }
}

const constraints = [
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "pattern"],
];

/** Returns the test for a schema's further constraints. Compiled only for schemas that have some. */
function constraintOf(schema: TSchema): (value: unknown) => boolean {
  if (!constraints.some((keyword) => keyword in schema)) return () => true;
  const check = TypeCompiler.Compile(schema);
  return (value) => check.Check(value);
}
