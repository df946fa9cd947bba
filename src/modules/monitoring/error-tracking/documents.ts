/** The JSON documents that clients send. */

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
 * nor shown. Throws 400 for what is no JSON, or too deep.
 */
export function readDocument(bytes: Uint8Array): unknown {
  return cleaned(parse(bytes), 0);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw unreadable();
  }
}

function cleaned(value: unknown, depth: number): unknown {
  if (typeof value === "string") return cleanedText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === depthMax) throw unreadable();
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [cleanedText(name), cleaned(member, depth + 1)]),
  );
}

function cleanedText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\0") ? whole.replaceAll("\0", "") : whole;
}
