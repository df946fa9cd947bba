import { badRequest, refuseParameters } from "../params/refusals.ts";
import { emptyValues, isHash, type RawValue, type RawValues } from "../params/values.ts";
import { checkJsonLimits } from "./json-limits.ts";
import { decodeUtf8 } from "./utf8.ts";

/**
 * A JSON body as parameters (rest-conventions 2.2). Anything but an object at the top counts as no parameters.
 * Throws 400 for text that is not JSON or not UTF-8, for strings with a NUL, and beyond the limits.
 */
export function readJson(bytes: Uint8Array): RawValues {
  checkJsonLimits(bytes);
  const text = decodeUtf8(bytes);
  const parsed = parse(text);
  if (!isHash(parsed)) return emptyValues();
  // Only an escape can write a NUL, half a surrogate pair, or `__proto__` in disguise.
  if (text.includes("\\u") || text.includes("__proto__")) purify(parsed);
  return Object.assign(emptyValues(), parsed);
}

/** Some clients begin with a byte order mark. */
function parse(text: string): RawValue {
  try {
    return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch {
    throw refuseParameters("The request body is not valid JSON");
  }
}

/** Refuses bad text in keys and values, and drops every `__proto__`. No deeper than the limits allow. */
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
