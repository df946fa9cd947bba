import type { Position } from "../../domain/page.ts";

/** The order of a keyset list. */
export interface KeysetOrder {
  readonly orderBy: string;
  readonly sort: "asc" | "desc";
}

const cursorLengthMax = 4096;

/** Returns an opaque, URL-safe text for a position in a list of this order (rest-conventions 7.3). */
export function encodeCursor({ orderBy, sort }: KeysetOrder, { key, id }: Position): string {
  return Buffer.from(JSON.stringify([orderBy, sort, key, id])).toString("base64url");
}

/** Returns the position of a cursor; undefined for a text that this server did not make for this order. */
export function decodeCursor({ orderBy, sort }: KeysetOrder, cursor: string): Position | undefined {
  if (cursor.length > cursorLengthMax || !/^[\w-]+$/.test(cursor)) return undefined;
  const decoded = parseArray(Buffer.from(cursor, "base64url").toString());
  if (decoded?.length !== 4 || decoded[0] !== orderBy || decoded[1] !== sort) return undefined;
  const [, , key, id] = decoded;
  if (typeof id !== "number" || !Number.isSafeInteger(id)) return undefined;
  // Ids are numbers. All other sort keys are texts.
  if (orderBy === "id") return key === id ? { key, id } : undefined;
  return typeof key === "string" ? { key, id } : undefined;
}

function parseArray(text: string): readonly unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
