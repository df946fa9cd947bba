import { KindGuard, type TObject, type TSchema } from "@sinclair/typebox";
import { alternativesOf, enumerationOf, withoutNull } from "../../../../src/http/params/schema-introspection.ts";

/** One extreme value of a parameter: as JSON, and as pairs of a query. */
export interface Extreme {
  readonly what: string;
  readonly json: unknown;
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

/** Bytes of one parameter in a query: with the rest of the head, this is what the runtime reads by default. */
const queryBytesMax = 12_000;
/** Parts of a list that says no other maximum; more are refused. */
const partsMax = 1_000;

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";

/** As many different words as a text may have. */
function manyWords(length: number): string {
  let text = "";
  for (let at = 0; text.length < length; at += 1) text += `${at < alphabet.length ? alphabet[at] : at.toString(36)} `;
  return text.slice(0, length).trim();
}

/** The longest, most repeated and most divided texts of a length. */
function texts(length: number): string[] {
  const wanted = ["a", "a ", "%_", "*/", ",", "/", ".*", "[a-z]", '"', "é"];
  return [manyWords(length), ...wanted.map((unit) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length))];
}

/** Values of a parameter that take as much work as its declaration allows. */
export function extremesOf(name: string, declared: TSchema, isInQuery: boolean): Extreme[] {
  const schema = withoutNull(declared);
  if (enumerationOf(schema) !== undefined) {
    return (enumerationOf(schema) ?? []).map((value) => ({
      what: `${value}`,
      json: value,
      pairs: [[name, `${value}`]],
    }));
  }
  if (schema.anyOf !== undefined) return alternativesOf(schema).flatMap((each) => extremesOf(name, each, isInQuery));
  if (schema.type === "array") return listsOf(name, schema, isInQuery);
  if (KindGuard.IsObject(schema)) return membersOf(name, schema, isInQuery);
  if (schema.type !== "string") return [];
  if (schema.format !== undefined) return [];
  const lengthMax = Math.min(schema.maxLength ?? Number.POSITIVE_INFINITY, isInQuery ? queryBytesMax / 6 : 1 << 20);
  return texts(lengthMax).map((text) => ({
    what: `${text.length} characters of ${JSON.stringify(text.slice(0, 8))}`,
    json: text,
    pairs: [[name, text]],
  }));
}

function listsOf(name: string, list: TSchema, isInQuery: boolean): Extreme[] {
  const item = withoutNull(list.items);
  const one = (at: number): unknown => {
    const values = enumerationOf(item);
    if (values !== undefined) return values[at % values.length];
    if (item.type === "integer" || item.type === "number") return at + 1;
    if (KindGuard.IsObject(item)) {
      return Object.fromEntries(
        Object.entries(item.properties).map(([key, each]) => [key, extremesOf(key, each, true)[0]?.json ?? at]),
      );
    }
    return `${alphabet[at % alphabet.length]} word${at}`;
  };
  const all = Array.from({ length: list.maxItems ?? partsMax }, (_, at) => one(at));
  const pairs: [string, string][] = [];
  let bytes = 0;
  for (const each of all) {
    if (typeof each === "object") break;
    bytes += encodeURIComponent(`${name}[]=${each}&`).length;
    if (isInQuery && bytes > queryBytesMax) break;
    pairs.push([`${name}[]`, `${each}`]);
  }
  const joined = pairs.map(([, text]) => text).join(",");
  return [
    { what: `${all.length} parts`, json: all, pairs },
    ...(isInQuery
      ? [{ what: `${pairs.length} parts in one text`, json: joined, pairs: [[name, joined] as const] }]
      : []),
  ];
}

function membersOf(name: string, schema: TObject, isInQuery: boolean): Extreme[] {
  return Object.entries(schema.properties).flatMap(([key, member]) =>
    extremesOf(key, member, isInQuery).map(({ what, json, pairs }) => ({
      what: `${key}: ${what}`,
      json: { [key]: json },
      pairs: pairs.map(([inner, text]) => [inner.replace(/^([^[]*)/, `${name}[$1]`), text] as const),
    })),
  );
}
