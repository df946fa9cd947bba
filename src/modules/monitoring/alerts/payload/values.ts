/** The readers of single values in payloads. */

import { type DateTime, parseDateTime, toDateTime } from "../../../../lib/datetime.ts";
import { exceedsLength } from "../../../../lib/text/text.ts";

export const titleLengthMax = 200;
export const descriptionLengthMax = 1000;
/** The limit for the names of services and tools. */
export const nameLengthMax = 100;
const hostsLengthMax = 255;
const dots = "...";
/** The last moment that tools write for "not ended" (rest-conventions 1). */
const yearOne = "0001-12-31T23:59:59.999Z";
/** Numbers from here on are taken for milliseconds of a start: 1973. */
const earliestStartMs = 100_000_000_000;

/** A text, or a number or truth value as text; undefined for anything else, and for what is blank. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return undefined;
  const text = String(value).toWellFormed().replaceAll("\0", "");
  return text.trim() === "" ? undefined : text;
}

/** The text, the end of one that is too long replaced by dots; characters are code points. */
export function truncate(text: string, lengthMax: number): string {
  if (!exceedsLength(text, lengthMax)) return text;
  return `${[...text].slice(0, lengthMax - dots.length).join("")}${dots}`;
}

/** Returns the text of a value, truncated; null for none. */
export function truncateOrNull(value: unknown, lengthMax: number): string | null {
  const text = textOf(value);
  return text === undefined ? null : truncate(text, lengthMax);
}

/** Hosts in their order, as many as have room; the one that crosses the limit loses its end (alerts A.4). */
export function hostsOf(value: unknown): string[] {
  const hosts: string[] = [];
  let room = hostsLengthMax;
  for (const item of [value].flat(Number.POSITIVE_INFINITY)) {
    const host = textOf(item);
    if (host === undefined) continue;
    if (room <= 0) break;
    const part = [...host].slice(0, room);
    hosts.push(part.join(""));
    room -= part.length;
  }
  return hosts;
}

/** Reads an end time: ISO text, or milliseconds since 1970 (alerts A.4). undefined: unreadable, or year 1. */
export function endOf(value: unknown): DateTime | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const time = parseDateTime(text) ?? fromMilliseconds(text);
  return time !== undefined && time > yearOne ? time : undefined;
}

/** Reads a start time; undefined: unreadable. */
export function startOf(value: unknown): DateTime | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  return parseDateTime(text) ?? (Number(text) >= earliestStartMs ? fromMilliseconds(text) : undefined);
}

function fromMilliseconds(text: string): DateTime | undefined {
  const ms = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  return ms <= Date.UTC(9999, 11, 31) ? toDateTime(ms) : undefined;
}
