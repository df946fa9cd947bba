/** The JSON schema of CI files for editors, made of the table of keywords. */

import { type Entry, type JsonSchema, type Rule, schemaOfKind, type Variant } from "./entry.ts";
import { keywordsOfFile } from "./file.ts";
import { entryOfJob } from "./jobs.ts";

type Schema = Record<string, unknown>;

/** Stands for the parts of other places, which editors do not follow, and for keywords without a value. */
const elsewhere = { $ref: "#/definitions/elsewhere" };

/** The schema of a whole file. */
export function ciFileSchema(): JsonSchema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "CI file",
    description: "The keywords that Outpost takes, as it checks them.",
    type: "object",
    definitions: {
      elsewhere: {
        anyOf: [
          { type: "null" },
          { type: "array", description: "!reference [name, keyword]", minItems: 2, items: { type: "string" } },
        ],
      },
      build: jobSchema(entryOfJob("build", "build")),
      trigger: jobSchema(entryOfJob("trigger", "trigger")),
    },
    properties: { ...propertiesOf(keywordsOfFile), spec: { type: "object" } },
    patternProperties: { "^[.]": { description: "Keywords for other jobs to extend." } },
    additionalProperties: { anyOf: [{ $ref: "#/definitions/build" }, { $ref: "#/definitions/trigger" }] },
  };
}

/** The jobs that a job extends may have keywords that it needs. */
function jobSchema(entry: Entry): Schema {
  const { required: _, ...schema } = schemaOf(entry);
  return schema;
}

function propertiesOf(entries: Readonly<Record<string, Entry>>): Schema {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, orElsewhere(schemaOf(entry))]));
}

function orElsewhere({ description, ...schema }: Schema): Schema {
  return { ...(description === undefined ? {} : { description }), anyOf: [schema, elsewhere] };
}

function schemaOf(entry: Entry): Schema {
  const { description, rules = [], keys, items, values, variants } = entry;
  const schema: Schema = description === undefined ? {} : { description };
  if (variants !== undefined) return { ...schema, anyOf: variants.map(schemaOfVariant) };
  for (const rule of rules) if (rule.if === undefined) addRule(schema, rule);
  if (keys !== undefined) merge(schema, { properties: propertiesOf(keys) });
  if (items !== undefined) addItems(schema, schemaOf(items.entry));
  if (values !== undefined) merge(schema, { additionalProperties: orElsewhere(schemaOf(values)) });
  return schema;
}

function schemaOfVariant({ kind, entry }: Variant): Schema {
  const schema: Schema = {};
  merge(schema, schemaOfKind(kind));
  merge(schema, schemaOf(entry));
  return schema;
}

/** Rules about some values only are left to the server. */
function addRule(schema: Schema, { key, checks, subjectOf, isOptional }: Rule): void {
  if (key === undefined && subjectOf !== undefined) return;
  for (const check of checks) {
    if (key === undefined) merge(schema, check.schema);
    else merge(schema, { properties: { [key]: check.schema } });
  }
  if (
    key !== undefined &&
    !isOptional &&
    subjectOf === undefined &&
    checks.some((check) => check.schema.type !== undefined)
  ) {
    merge(schema, { required: [key] });
  }
}

/** An item may be a list of items, and where a mapping may stand for a list, it is one item. */
function addItems(schema: Schema, item: Schema): void {
  const { type } = schema;
  const nested = { type: "array", description: "items of another list" };
  const list = { type: "array", items: { anyOf: [item, nested] } };
  const types = [type ?? "array"].flat();
  delete schema.type;
  merge(schema, types.includes("object") || types.includes("string") ? { anyOf: [list, item] } : list);
}

/** Adds requirements to a schema: what two say of one word both holds. */
function merge(schema: Schema, more: JsonSchema): void {
  for (const [word, value] of Object.entries(more)) {
    const known = schema[word];
    if (known === undefined) schema[word] = value;
    else if (word === "properties") schema[word] = mergedProperties(known as Schema, value as Schema);
    else if (word === "required") schema[word] = [...new Set([...(known as string[]), ...(value as string[])])];
    else if (JSON.stringify(known) !== JSON.stringify(value)) {
      schema.allOf = [...((schema.allOf as Schema[] | undefined) ?? []), { [word]: value }];
    }
  }
}

function mergedProperties(known: Schema, more: Schema): Schema {
  const merged: Schema = { ...known };
  for (const [name, value] of Object.entries(more)) {
    const both: Schema = { ...((merged[name] as Schema | undefined) ?? {}) };
    merge(both, value as JsonSchema);
    merged[name] = both;
  }
  return merged;
}
