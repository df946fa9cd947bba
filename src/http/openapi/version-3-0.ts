import type { Documentation } from "./document.ts";
import type { Json } from "./schemas.ts";
import { licenseName } from "./texts.ts";

/**
 * Converts an OpenAPI 3.1 document to 3.0.3, which has `nullable` instead of the type `null`, and no licence identifiers.
 */
export function toVersion30(documentation: Documentation): Json {
  const { info, paths, components } = documentation;
  return {
    ...documentation,
    openapi: "3.0.3",
    info: { ...info, license: { name: licenseName } },
    paths: convertAll(paths),
    components: { ...convertAll(components), schemas: mapValues(components.schemas, convertSchema) },
  };
}

/** Converts every schema within a part of the document. Examples are values and stay unchanged. */
function convertAll(part: Json): Json {
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, convertMember(key, value)]));
}

function convertMember(key: string, value: unknown): unknown {
  if (key === "schema") return convertSchema(value);
  if (key === "example" || key === "examples") return value;
  return convertEach(value, convertAll);
}

function convertSchema(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { anyOf, type, properties, items, additionalProperties, ...rest } = schema;
  return {
    ...rest,
    ...(type === undefined ? {} : convertType(type)),
    ...(Array.isArray(anyOf) ? convertAlternatives(anyOf) : {}),
    ...(isObject(properties) ? { properties: mapValues(properties, convertSchema) } : {}),
    ...(items === undefined ? {} : { items: convertSchema(items) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: convertSchema(additionalProperties) }),
  };
}

const onlyNull: Json = { type: "object", nullable: true, enum: [null] };

function convertType(type: unknown): Json {
  if (type === "null") return onlyNull;
  if (!Array.isArray(type)) return { type };
  const named = type.filter((each) => each !== "null");
  const nullable = named.length < type.length ? { nullable: true } : {};
  return named.length === 1
    ? { type: named[0], ...nullable }
    : { anyOf: named.map((each) => ({ type: each, ...nullable })) };
}

/**
 * Makes null an alternative of its own beside a reference, since `nullable` does not allow null where another schema forbids
 * it.
 */
function convertAlternatives(alternatives: readonly unknown[]): Json {
  const others = alternatives.filter((each) => !isNull(each)).map(convertSchema);
  if (others.length === alternatives.length) return { anyOf: others };
  const [only] = others;
  if (others.length > 1 || !isObject(only) || "$ref" in only) return { anyOf: [...others, onlyNull] };
  return { ...only, nullable: true };
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && schema.type === "null";
}

function mapValues(part: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, change(value)]));
}

function convertEach(value: unknown, change: (part: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((each) => convertEach(each, change));
  return isObject(value) ? change(value) : value;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
