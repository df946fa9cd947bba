import type { TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import type { RecordSchema } from "./record.ts";

const checks = new WeakMap<RecordSchema, TypeCheck<TSchema>>();

/** Compiles the check of a schema at its first use: a start checks no document. */
function checkOf(schema: RecordSchema): TypeCheck<TSchema> {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const made = TypeCompiler.Compile(schema);
  checks.set(schema, made);
  return made;
}

/** Returns why a value is not a document of this schema, such as `bio is missing`; undefined when it is one. */
export function recordFault(schema: RecordSchema, value: unknown): string | undefined {
  const check = checkOf(schema);
  if (check.Check(value)) return undefined;
  const error = check.Errors(value).First();
  if (error === undefined) throw new Error("a document does not match its schema, for an unknown reason");
  return faultOf(innermost(error), value);
}

/** Returns the fields that are not in the schema: misspelt ones, or those of another version. */
export function unknownFields(schema: RecordSchema, document: object): string[] {
  return Object.keys(document).filter((name) => !Object.hasOwn(schema.properties, name));
}

/** Returns the error of the innermost field. A value that may be null or an object fails as a whole, which says less. */
function innermost(error: ValueError): ValueError {
  if (error.type !== ValueErrorType.Union || error.schema.wanted === undefined) return error;
  for (const errors of error.errors) {
    const inside = errors.First();
    if (inside !== undefined && inside.path !== error.path) return innermost(inside);
  }
  return error;
}

function faultOf({ path, schema, value, message }: ValueError, document: unknown): string {
  const name = nameOf(path, document);
  if (value === undefined) return `${name} is missing`;
  // Schemas that the API shares with the store have the words of the library.
  const expected =
    schema.wanted === undefined ? message.replace(/^Expected /, "expected ") : `expected ${schema.wanted}`;
  return `${name} is ${shorten(value)}; ${expected}`.trimStart();
}

/** Returns a JSON pointer in readable form: `hosts[2]`, `settings.lfs_enabled`. */
function nameOf(pointer: string, document: unknown): string {
  let [name, inside] = ["", document];
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(inside)) name += `[${key}]`;
    else name += name === "" ? key : `.${key}`;
    inside = (inside as Readonly<Record<string, unknown>> | undefined)?.[key];
  }
  return name;
}

const shownLengthMax = 40;

function shorten(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > shownLengthMax ? `${json.slice(0, shownLengthMax)}…` : json;
}
