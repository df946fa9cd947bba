import { type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { type Operation, pathParameters } from "../../modules/kernel/operation.ts";
import type { RawBody } from "../../modules/kernel/raw-request.ts";
import { withoutNull } from "../params/schema-introspection.ts";
import { withPageParameters } from "../responses/pagination.ts";
import {
  describeMembers,
  describeSchema,
  isUpload,
  type Json,
  membersOfMap,
  type NamedSchemas,
  referTo,
} from "./schemas.ts";

/** A parameter as it is named in queries and forms. */
interface Flat {
  readonly name: string;
  readonly schema: TSchema;
  readonly isRequired: boolean;
}

/** Describes the inputs of a request: `parameters` of the path and query, and the `requestBody` of methods that have one. */
export function describeInputs(operation: Operation, operationId: string, named: NamedSchemas): Json {
  const { answer, params } = operation;
  const all = answer.kind === "page" ? withPageParameters(params, answer) : params;
  const inPath = pathParameters(operation.path);
  const rest = Type.Object(
    Object.fromEntries(Object.entries(all.properties).filter(([name]) => !inPath.includes(name))),
  );
  const parameters: Json[] = inPath.map((name) => describePathParameter(name, all, named));
  if (operation.method === "DELETE" && inPath.length > 0) {
    parameters.push({ $ref: "#/components/parameters/IfUnmodifiedSince" });
  }
  if (!takesBody(operation) || operation.body !== undefined) {
    parameters.push(...flatten(rest).map((flat) => describeQueryParameter(flat, named)));
    return {
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(typeof operation.body !== "object" ? {} : { requestBody: describeRawBody(operation.body) }),
    };
  }
  return {
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(Object.keys(rest.properties).length > 0
      ? { requestBody: describeBody(operation, rest, operationId, named) }
      : {}),
  };
}

export function takesBody({ method }: Operation): boolean {
  return method !== "GET" && method !== "DELETE";
}

function describePathParameter(name: string, { properties }: TObject, named: NamedSchemas): Json {
  const schema = properties[name];
  if (schema === undefined) throw new Error(`the path parameter ${name} is not declared`);
  return { name, in: "path", required: true, ...parameterOf(describeSchema(schema, named)) };
}

/** Describes a query parameter. Maps get an empty example, since API pages otherwise invent keys. */
function describeQueryParameter({ name, schema, isRequired }: Flat, named: NamedSchemas): Json {
  return {
    name,
    in: "query",
    ...(isRequired ? { required: true } : {}),
    ...(membersOfMap(withoutNull(schema)) === undefined ? {} : { style: "deepObject", explode: true, example: {} }),
    ...parameterOf(describeSchema(schema, named)),
  };
}

/** Moves the description from the schema to the parameter. */
function parameterOf({ description, deprecated, ...schema }: Json): Json {
  return {
    ...(description === undefined ? {} : { description }),
    ...(deprecated === true ? { deprecated } : {}),
    schema,
  };
}

/**
 * Flattens a schema: arrays as `name[]`, hashes as `name[key]`, arrays of hashes as `name[][key]` (rest-conventions 2.3).
 */
function flatten(schema: TObject, nameOf = (key: string) => key, isInside = true): Flat[] {
  return Object.entries(schema.properties).flatMap(([key, property]): Flat[] => {
    const name = nameOf(key);
    const isRequired = isInside && schema.required?.includes(key) === true;
    const value = withoutNull(property);
    if (value.type === "array") {
      const items = withoutNull(value.items);
      if (!hasMembers(items)) return [{ name: `${name}[]`, schema: value, isRequired }];
      return flatten(items, (inner) => `${name}[][${inner}]`, isRequired).map((flat) => ({
        ...flat,
        schema: Type.Array(flat.schema),
      }));
    }
    if (hasMembers(value)) return flatten(value, (inner) => `${name}[${inner}]`, isRequired);
    return [{ name, schema: property, isRequired }];
  });
}

function hasMembers(schema: TSchema): schema is TObject {
  return schema.type === "object" && membersOfMap(schema) === undefined;
}

function describeRawBody({ types = [] }: RawBody): Json {
  const named = types.filter((type) => type !== "");
  const bytes = { schema: { type: "string", format: "binary" } };
  return { content: Object.fromEntries((named.length > 0 ? named : ["*/*"]).map((type) => [type, bytes])) };
}

/** Describes a body as JSON and as a form, which is multipart if it has files. JSON has no files. */
function describeBody(operation: Operation, all: TObject, operationId: string, named: NamedSchemas): Json {
  const isMultipart = Object.values(all.properties).some((property) => isUpload(withoutNull(property)));
  const inJson = isMultipart ? withoutUploads(all) : all;
  const name = operationId.replace(/^./, (first) => first.toUpperCase());
  const flat = flatten(all);
  const isFlat = !isMultipart && flat.every((each) => each.name in all.properties);
  const isFileRequired = (all.required ?? []).some((each) => !(each in inJson.properties));
  if (!isFileRequired) named[`${name}Body`] = describeSchema(inJson, named);
  if (!isFlat) {
    const properties: TProperties = Object.fromEntries(flat.map((each) => [each.name, each.schema]));
    const required = flat.filter(({ isRequired }) => isRequired).map((each) => each.name);
    named[`${name}Form`] = describeMembers(properties, required, named);
  }
  const form = { schema: referTo(isFlat ? `${name}Body` : `${name}Form`) };
  const json = { schema: referTo(`${name}Body`), example: exampleOf(operation, inJson) };
  return {
    ...((all.required ?? []).length > 0 ? { required: true } : {}),
    content: {
      ...(isFileRequired ? {} : { "application/json": json }),
      [isMultipart ? "multipart/form-data" : "application/x-www-form-urlencoded"]: form,
    },
  };
}

function withoutUploads({ properties }: TObject): TObject {
  return Type.Object(
    Object.fromEntries(Object.entries(properties).filter(([, property]) => !isUpload(withoutNull(property)))),
  );
}

/** Returns the smallest valid body, as an example: one with every parameter would be refused. */
function exampleOf({ rules = [] }: Operation, { properties, required = [] }: TObject): Json {
  const chosen = rules
    .filter(({ rule }) => rule === "at_least_one" || rule === "exactly_one")
    .flatMap(({ names }) => names.slice(0, 1));
  const names = Object.keys(properties).filter((name) => required.includes(name) || chosen.includes(name));
  return Object.fromEntries(names.map((name) => [name, sampleOf(properties[name] as TSchema)]));
}

function sampleOf(property: TSchema): unknown {
  const schema = withoutNull(property);
  if (schema.anyOf !== undefined) return sampleOf(schema.anyOf[0]);
  if (schema.const !== undefined) return schema.const;
  switch (schema.type) {
    case "string":
      return sampleOfText(schema);
    case "boolean":
      return true;
    case "array":
      return [sampleOf(schema.items)];
    case "object":
      return sampleOfMembers(schema as TObject);
    default:
      return schema.minimum === undefined || schema.minimum < 1 ? 1 : schema.minimum;
  }
}

function sampleOfMembers({ properties = {}, required = [] }: TObject): Json {
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] as TSchema)]));
}

const sampleTexts = ["text", "1", "12:00", "2027-01-31"];

/** Returns a sample that matches a pattern. Throws when none does: add one then. */
function sampleOfText({ format, pattern }: TSchema): string {
  if (format === "date") return "2027-01-31";
  if (format === "date-time") return "2027-01-31T12:00:00Z";
  const sample = sampleTexts.find((text) => pattern === undefined || new RegExp(pattern).test(text));
  if (sample === undefined) throw new Error(`no sample fits ${pattern}`);
  return sample;
}
