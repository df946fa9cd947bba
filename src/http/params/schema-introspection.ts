import type { TSchema } from "@sinclair/typebox";
import type { ParameterOptions } from "../../domain/parameters.ts";

/** Returns the members of a union without null; a schema that is no union is its only one. */
export function alternativesOf(schema: TSchema): readonly TSchema[] {
  const members: unknown = schema.anyOf;
  return Array.isArray(members) ? members.filter((member: TSchema) => member.type !== "null") : [schema];
}

export function isNullable(schema: TSchema): boolean {
  const members: unknown = schema.anyOf;
  return Array.isArray(members) && members.some((member: TSchema) => member.type === "null");
}

/** Returns the schema inside of `nullable`; the union itself when several alternatives stay. */
export function withoutNull(schema: TSchema): TSchema {
  const [only, ...others] = alternativesOf(schema);
  return only !== undefined && others.length === 0 ? only : schema;
}

export function optionsOf(schema: TSchema): ParameterOptions {
  return withoutNull(schema);
}

/** Returns the values of `oneOf`; undefined for every other schema. */
export function enumerationOf(schema: TSchema): readonly (string | number | boolean)[] | undefined {
  const alternatives = alternativesOf(withoutNull(schema));
  return alternatives.every((member) => "const" in member) ? alternatives.map((member) => member.const) : undefined;
}

/** True for a schema without a type: values are passed on unchanged. */
export function isAnything(schema: TSchema): boolean {
  return (
    schema.type === undefined &&
    schema.anyOf === undefined &&
    schema.contentMediaType === undefined &&
    !("const" in schema)
  );
}

/** True when an empty text is a value of the type, not null (rest-conventions 2.4). */
export function takesEmptyText(schema: TSchema): boolean {
  if (optionsOf(schema).emptyIsAbsent === true) return false;
  const values = enumerationOf(schema);
  if (values !== undefined) return !isNullable(schema) && values.some((value) => typeof value === "string");
  return alternativesOf(withoutNull(schema)).some(
    (member) => isAnything(member) || (member.type === "string" && member.format === undefined),
  );
}
