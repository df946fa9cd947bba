import type { TObject } from "@sinclair/typebox";
import type { ParameterRule } from "../../domain/parameters.ts";
import { refused } from "./coercion.ts";
import { compileFields, type Field, readField } from "./fields.ts";
import { Refusals } from "./refusals.ts";
import { unknownKeyRefusal } from "./unknown-keys.ts";
import { isHash, type PathValues, type RawValue, type RawValues } from "./values.ts";

/**
 * Converts raw values and decoded path parameters into the declared ones. Absent optional parameters have no key. Throws one
 * `parameters` failure with all errors.
 */
export type ReadParameters = (values: RawValues, path: PathValues) => Record<string, unknown>;

/** Returns the reader for an operation's declaration (rest-conventions 2.4, 3). Compiles the schema at the first use. */
export function compileParameters(schema: TObject, rules: readonly ParameterRule[] = []): ReadParameters {
  let declared: Declared | undefined;
  return (values, path) => {
    declared ??= declaredBy(schema);
    return readAll(declared, rules, values, path);
  };
}

/** The compiled fields of a declaration. */
interface Declared {
  /** The position of each field in the declaration, by name. */
  readonly placeOf: ReadonlyMap<string, number>;
  readonly fields: readonly Field[];
  readonly requiredPlaces: readonly number[];
  readonly refuseUnknown: ReturnType<typeof unknownKeyRefusal>;
}

function declaredBy(schema: TObject): Declared {
  const fields = compileFields(schema);
  return {
    fields,
    placeOf: new Map(fields.map(({ name }, place) => [name, place])),
    requiredPlaces: [...fields.keys()].filter((place) => fields[place]?.isRequired),
    refuseUnknown: unknownKeyRefusal(schema),
  };
}

/**
 * Returns the positions of the fields to read, in declaration order. Lists declare thirty parameters, and a request has two.
 */
function placesToRead({ placeOf, requiredPlaces }: Declared, values: RawValues, path: PathValues): number[] {
  const places = [...requiredPlaces];
  for (const given of [path, values]) {
    for (const name in given) {
      const place = placeOf.get(name);
      if (place !== undefined && !places.includes(place)) places.push(place);
    }
  }
  return places.length < 2 ? places : places.sort((one, other) => one - other);
}

function readAll(
  declared: Declared,
  rules: readonly ParameterRule[],
  values: RawValues,
  path: PathValues,
): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  const refusals = new Refusals();
  const given: string[] = [];
  declared.refuseUnknown?.(Object.keys(values), (key) => key, refusals);
  for (const place of placesToRead(declared, values, path)) {
    const field = declared.fields[place] as Field;
    const raw = path[field.name] ?? values[field.name];
    const value = readField(field, raw, field.name, refusals);
    if (value === undefined) continue;
    given.push(field.name);
    if (isHash(value as RawValue)) given.push(...Object.keys(value as object).map((key) => `${field.name}[${key}]`));
    if (value !== refused) params[field.name] = value;
  }
  for (const rule of rules) checkRule(rule, given, refusals);
  if (!refusals.isEmpty) throw refusals.toFailure();
  return params;
}

function checkRule({ rule, names }: ParameterRule, allGiven: readonly string[], refusals: Refusals): void {
  const given = names.filter((name) => allGiven.includes(name));
  const none = given.length === 0;
  const several = given.length > 1;
  if (several && (rule === "mutually_exclusive" || rule === "exactly_one")) {
    refusals.add(`${given.join(", ")} are mutually exclusive`);
  } else if (none && rule === "at_least_one") {
    refusals.add(`${names.join(", ")} are missing, at least one parameter must be provided`);
  } else if (none && rule === "exactly_one") {
    refusals.add(`${names.join(", ")} are missing, exactly one parameter must be provided`);
  } else if (!none && given.length < names.length && rule === "all_or_none") {
    refusals.add(`${names.join(", ")} provide all or none of parameters`);
  } else if (rule === "needs" && given[0] === names[0]) {
    for (const name of names) if (!given.includes(name)) refusals.addMissing(name);
  }
}
