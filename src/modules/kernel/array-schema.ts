import { type SchemaOptions, type Static, type TSchema, Type } from "@sinclair/typebox";

/** The schema of an array in an answer. Its type takes a record's own array, which must not be changed. */
export function arrayOf<S extends TSchema>(items: S, options: SchemaOptions = {}) {
  return Type.Unsafe<readonly Static<S>[]>(Type.Array(items, options));
}
