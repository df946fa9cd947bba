import { parseDateTime, toDateTime } from "../../lib/datetime.ts";

/**
 * Returns the `If-Unmodified-Since` of a DELETE, an HTTP date or ISO 8601 (rest-conventions 4.1); undefined when it is
 * absent or invalid.
 */
export function readUnmodifiedSince({ method, headers }: Request): string | undefined {
  const text = method === "DELETE" ? headers.get("if-unmodified-since") : null;
  if (text === null) return undefined;
  const time = Date.parse(text);
  return parseDateTime(text) ?? (/\d{4}/.test(text) && Number.isFinite(time) ? toDateTime(time) : undefined);
}
