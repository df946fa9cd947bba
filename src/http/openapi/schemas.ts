import type { TProperties, TSchema } from "@sinclair/typebox";
import { alternativesOf, enumerationOf, isNullable, optionsOf } from "../params/schema-introspection.ts";

export type Json = Readonly<Record<string, unknown>>;

/** The `components.schemas`: schemas with an `$id`, described once. */
export type NamedSchemas = Record<string, Json>;

/** The keywords that are copied into JSON Schema. Others are for Outpost's own code. */
const handedOn = [
  "type",
  "format",
  "title",
  "description",
  "default",
  "deprecated",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "pattern",
] as const;

/** Returns the JSON Schema of a declared type. Adds named types to `named` and refers to them. */
export function describeSchema(schema: TSchema, named: NamedSchemas): Json {
  const { $id } = schema;
  if ($id === undefined) return describeInline(schema, named);
  if (named[$id] === undefined) {
    named[$id] = {};
    named[$id] = describeInline(schema, named);
  }
  return referTo($id);
}

export function referTo(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns the schema of a hash with declared members. */
export function describeMembers(properties: TProperties, required: readonly string[], named: NamedSchemas): Json {
  const members = Object.entries(properties).map(([name, member]) => [name, describeSchema(member, named)]);
  return {
    type: "object",
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(members),
  };
}

export function isUpload(schema: TSchema): boolean {
  return schema.contentMediaType !== undefined;
}

/** Returns the member type of a hash with any keys; undefined for other schemas. */
export function membersOfMap(schema: TSchema): TSchema | undefined {
  return Object.values<TSchema>(schema.patternProperties ?? {})[0];
}

function describeInline(schema: TSchema, named: NamedSchemas): Json {
  const values = enumerationOf(schema);
  if (values !== undefined) return describeEnumeration(schema, values);
  if (schema.anyOf === undefined) return describeOne(schema, named);
  const alternatives = alternativesOf(schema).map((member) => describeSchema(member, named));
  const [only = {}, ...others] = alternatives;
  const declaredNull = (schema.anyOf as TSchema[]).find((member) => member.type === "null");
  if (declaredNull === undefined) return { ...keywordsOf(schema), anyOf: alternatives };
  const canJoin = others.length === 0 && typeof only.type === "string" && declaredNull.deprecated === undefined;
  if (canJoin) return { ...only, ...keywordsOf(schema), type: [only.type, "null"] };
  return { ...keywordsOf(schema), anyOf: [...alternatives, keywordsOf(declaredNull)] };
}

function describeEnumeration(schema: TSchema, values: readonly (string | number | boolean)[]): Json {
  const types = [...new Set(values.map((value) => (typeof value === "number" ? "integer" : typeof value)))];
  const all = isNullable(schema) ? [...types, "null"] : types;
  return {
    ...keywordsOf(optionsOf(schema)),
    ...keywordsOf(schema),
    type: all.length === 1 ? all[0] : all,
    enum: isNullable(schema) ? [...values, null] : values,
  };
}

function describeOne(schema: TSchema, named: NamedSchemas): Json {
  if (isUpload(schema)) return { ...keywordsOf(schema), type: "string", format: "binary" };
  const members = membersOfMap(schema);
  if (members !== undefined) return { ...keywordsOf(schema), additionalProperties: describeSchema(members, named) };
  if (schema.type === "object") {
    return { ...keywordsOf(schema), ...describeMembers(schema.properties ?? {}, schema.required ?? [], named) };
  }
  const { except, allowBlank, split, takesNumber } = optionsOf(schema);
  return {
    ...keywordsOf(schema),
    ...(takesNumber === true ? { type: ["integer", "string"] } : {}),
    ...(schema.type === "array" ? { items: describeSchema(schema.items, named) } : {}),
    ...(except === undefined ? {} : { not: { enum: except } }),
    ...(allowBlank === false && schema.type === "string" ? { minLength: 1 } : {}),
    ...(split === true ? { description: sentence(schema.description, "one text with commas does too") } : {}),
  };
}

function keywordsOf(schema: object): Json {
  const words: Readonly<Record<string, unknown>> = { ...schema };
  return Object.fromEntries(handedOn.filter((word) => words[word] !== undefined).map((word) => [word, words[word]]));
}

function sentence(description: string | undefined, more: string): string {
  return description === undefined ? more : `${description}; ${more}`;
}
