/** The reader of parameters that are JSON in a text. */

import { Failure } from "../../../../domain/failure.ts";
import { isObject, type JsonObject, readPayload } from "../payload/index.ts";

/** An object, or JSON text of anything, as a payload has it. Throws 400 `name is invalid`. */
export function readJsonObject(name: string, value: unknown): JsonObject {
  const object = typeof value === "string" ? readPayload(Buffer.from(value)) : value;
  if (!isObject(object)) throw new Failure("parameters", { error: `${name} is invalid` });
  return object;
}
