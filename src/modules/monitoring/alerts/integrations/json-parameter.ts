/** The reader of parameters that are JSON in a text. */

import { Failure, invalid } from "../../../../domain/failure.ts";
import { isObject, type JsonObject, payloadBytesMax, readPayload } from "../payload/index.ts";

/** An object, or JSON text of anything, as a payload has it. Throws 400 `name is invalid`. */
export function readJsonObject(name: string, value: unknown): JsonObject {
  const object = typeof value === "string" ? readPayload(Buffer.from(value)) : value;
  if (!isObject(object)) throw new Failure("parameters", { error: `${name} is invalid` });
  return object;
}

/** The payload of an alert. Throws 400 for one that is no object, or larger than a receiver takes. */
export function readPayloadObject(value: unknown): JsonObject {
  const payload = readJsonObject("payload", value);
  if (Buffer.byteLength(JSON.stringify(payload)) > payloadBytesMax) throw invalid("400 Bad Request");
  return payload;
}
