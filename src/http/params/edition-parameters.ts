import type { TObject, TSchema } from "@sinclair/typebox";
import { type Edition, includesTier } from "../../domain/edition.ts";
import { optionsOf } from "./schema-introspection.ts";

/**
 * Returns the parameters of an edition: without those of higher ones, and with lists of one value where a higher edition
 * allows several.
 */
export function declaredFor(edition: Edition, schema: TObject): TObject {
  const known = Object.entries(schema.properties).filter(([, property]) => {
    const { tier } = optionsOf(property);
    return tier === undefined || includesTier(edition, tier);
  });
  return { ...schema, properties: Object.fromEntries(known.map(([name, each]) => [name, memberFor(edition, each)])) };
}

function memberFor(edition: Edition, schema: TSchema): TSchema {
  if (schema.type === "object" && schema.properties !== undefined) return declaredFor(edition, schema as TObject);
  const { severalFrom } = optionsOf(schema);
  return severalFrom === undefined || includesTier(edition, severalFrom) ? schema : { ...schema, maxItems: 1 };
}
