/** The JSON documents that clients send. */

import { isJsonBeyond } from "../../../lib/text/json-size.ts";
import { unreadable } from "./refusals.ts";

/** A JSON object of which nothing is known yet. */
export interface JsonObject {
  readonly [name: string]: unknown;
}

/** Far deeper than any client reports, and shallow enough for a recursive walk. */
const depthMax = 500;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text, or null for anything else. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/**
 * One JSON document, without NULs in its texts and with whole characters only: such texts could be neither searched for
 * nor shown. Throws 400 for what is no JSON, too deep, or has more than 100,000 values.
 */
export function readDocument(bytes: Uint8Array): unknown {
  if (isJsonBeyond(bytes, { levels: depthMax })) throw unreadable();
  return cleaned(parse(bytes));
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw unreadable();
  }
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return cleanedText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cleaned);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [cleanedText(name), cleaned(member)]));
}

function cleanedText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\0") ? whole.replaceAll("\0", "") : whole;
}
