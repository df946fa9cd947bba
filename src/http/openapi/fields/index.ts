import type { Documentation } from "../document.ts";
import type { Json } from "../schemas.ts";
import { adminFields } from "./admin.ts";
import { ciFields } from "./ci.ts";
import { commonFields } from "./common.ts";
import { peopleFields } from "./people.ts";
import { planningFields } from "./planning.ts";
import { projectFields } from "./projects.ts";

/** Descriptions of fields and parameters, by their names. */
export const fieldDescriptions: ReadonlyMap<string, string> = new Map(
  [commonFields, peopleFields, projectFields, planningFields, ciFields, adminFields].flatMap((fields) =>
    Object.entries(fields),
  ),
);

/** Adds descriptions to the fields and parameters whose schemas have none. */
export function withFieldDescriptions<D extends Documentation>(documentation: D): D {
  return describeAll(documentation, false) as D;
}

/** `areFields` means that the keys of this value are names of fields. */
function describeAll(value: unknown, areFields: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => describeAll(each, false));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => {
    if (areFields)
      return [key, describe(key, describeAll(key === linksName ? describeLinks(each as Json) : each, false) as Json)];
    return [key, key === "example" ? each : describeAll(each, key === "properties")];
  });
  const described: Json = Object.fromEntries(entries);
  return !areFields && isParameter(described) ? describe(String(described.name), described) : described;
}

/** The field whose members are URLs. */
const linksName = "_links";

function describeLinks(schema: Json): Json {
  const links = Object.entries(schema.properties ?? {}).map(([name, link]): [string, Json] => [
    name,
    { description: "Address in the API", ...(link as Json) },
  ]);
  return { ...schema, properties: Object.fromEntries(links) };
}

function isParameter({ in: place, schema }: Json): boolean {
  return typeof place === "string" && schema !== undefined;
}

/** References need no description. */
function describe(name: string, member: Json): Json {
  if (member.description !== undefined || member.$ref !== undefined) return member;
  const description = fieldDescriptions.get(plainName(name));
  return description === undefined ? member : { ...member, description };
}

/** Returns the plain name: `author_id` for `not[author_id]`, and `labels` for `labels[]`. */
export function plainName(name: string): string {
  return name.match(/[^[\]]+/g)?.at(-1) ?? name;
}
