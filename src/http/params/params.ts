import type { TObject } from "@sinclair/typebox";
import type { ParameterRule } from "../../domain/parameters.ts";
import { refused } from "./coercion.ts";
import { compileFields, type Field, readField } from "./fields.ts";
import { Refusals } from "./refusals.ts";
import { isHash, type RawValue, type RawValues } from "./values.ts";

/**
 * Raw values and decoded path parameters → what the operation declared, coerced; an optional parameter that was not
 * given has no key. Throws one `parameters` failure that lists everything wrong.
 */
export type ReadParameters = (values: RawValues, path: Readonly<Record<string, string>>) => Record<string, unknown>;

/** The reader for one operation's declaration (rest-conventions 2.4, 3). The schema is walked at the first use. */
export function compileParameters(schema: TObject, rules: readonly ParameterRule[] = []): ReadParameters {
  let fields: readonly Field[] | undefined;
  return (values, path) => {
    fields ??= compileFields(schema);
    return readAll(fields, rules, values, path);
  };
}

function readAll(
  fields: readonly Field[],
  rules: readonly ParameterRule[],
  values: RawValues,
  path: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  const refusals = new Refusals();
  const given: string[] = [];
  for (const field of fields) {
    const raw = path[field.name] ?? values[field.name];
    if (raw === undefined && !field.isRequired) continue;
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
