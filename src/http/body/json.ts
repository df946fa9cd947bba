import { badRequest, refuseParameters } from "../params/refusals.ts";
import { emptyValues, isHash, type RawValue, type RawValues } from "../params/values.ts";
import { checkJsonLimits } from "./json-limits.ts";
import { decodeUtf8 } from "./utf8.ts";

/**
 * Returns the parameters of a JSON body (rest-conventions 2.2). Anything but an object at the top has no parameters. Throws
 * 400 for invalid JSON or UTF-8, for strings with a NUL, and beyond the limits.
 */
export function readJson(bytes: Uint8Array): RawValues {
  checkJsonLimits(bytes);
  const text = decodeUtf8(bytes);
  const parsed = parse(text);
  if (!isHash(parsed)) return emptyValues();
  // Only an escape can produce a NUL, half a surrogate pair, or a hidden `__proto__`.
  if (text.includes("\\u") || text.includes("__proto__")) purify(parsed);
  return Object.assign(emptyValues(), parsed);
}

/** Parses JSON, after a byte order mark that some clients send. */
function parse(text: string): RawValue {
  try {
    return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch {
    throw refuseParameters("The request body is not valid JSON");
  }
}

/** Throws for bad text in keys and values, and removes every `__proto__`. The limits bound the depth. */
function purify(value: RawValue): void {
  if (typeof value === "string") {
    checkText(value);
  } else if (Array.isArray(value)) {
    for (const item of value) purify(item);
  } else if (isHash(value)) {
    Reflect.deleteProperty(value, "__proto__");
    for (const [key, member] of Object.entries(value)) {
      checkText(key);
      purify(member);
    }
  }
}

function checkText(text: string): void {
  if (text.includes("\0") || !text.isWellFormed()) throw badRequest();
}
