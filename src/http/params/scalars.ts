import { parseCalendarDate, parseDateTime, parseWrittenDate } from "../../lib/datetime.ts";
import { FilePart, type RawValue } from "./values.ts";

/** Stands for a raw value of the wrong type. */
export const mismatch = Symbol("mismatch");
type Mismatch = typeof mismatch;

/** Reads a non-null raw value as a declared type (rest-conventions 2.4). */
export type Scalar = (value: RawValue) => unknown;

/** Reads a text. Numbers and booleans become text. */
export function readText(value: RawValue): string | Mismatch {
  if (typeof value === "string") return value;
  // JSON numbers may exceed those of JavaScript.
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : mismatch;
  return typeof value === "boolean" ? String(value) : mismatch;
}

// A raw plus in a query arrives as a space.
const integerShape = /^[+\- ]?\d+$/;

export function readInteger(value: RawValue): number | Mismatch {
  const number = readWholeNumber(value);
  return typeof number === "number" && !Number.isSafeInteger(number) ? mismatch : number;
}

/** Does what `readInteger` does, but converts a number beyond the safe ones to the nearest safe integer. */
export function readSaturatedInteger(value: RawValue): number | Mismatch {
  const number = readWholeNumber(value);
  if (typeof number !== "number") return number;
  return Math.min(Math.max(number, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

function readWholeNumber(value: RawValue): number | Mismatch {
  if (typeof value === "string") return integerShape.test(value) ? Number(value) : mismatch;
  return typeof value === "number" && Number.isInteger(value) ? value : mismatch;
}

const numberShape = /^[+\- ]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

export function readNumber(value: RawValue): number | Mismatch {
  const number = typeof value === "string" && numberShape.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : mismatch;
}

const booleanWords: ReadonlyMap<RawValue, boolean> = new Map<RawValue, boolean>([
  ...formsOf(["true", "t", "yes", "y", "on"], true),
  ...formsOf(["false", "f", "no", "n", "off"], false),
  [true, true],
  [1, true],
  ["1", true],
  [false, false],
  [0, false],
  ["0", false],
]);

function formsOf(words: readonly string[], meaning: boolean): [RawValue, boolean][] {
  return words.flatMap((word): [RawValue, boolean][] => [
    [word, meaning],
    [word.toUpperCase(), meaning],
    [word.charAt(0).toUpperCase() + word.slice(1), meaning],
  ]);
}

export function readBoolean(value: RawValue): boolean | Mismatch {
  return booleanWords.get(value) ?? mismatch;
}

export function readDateTime(value: RawValue): string | Mismatch {
  return (typeof value === "string" ? parseDateTime(value) : undefined) ?? mismatch;
}

export function readDate(value: RawValue): string | Mismatch {
  return (typeof value === "string" ? parseCalendarDate(value) : undefined) ?? mismatch;
}

export function readWrittenDate(value: RawValue): string | Mismatch {
  return (typeof value === "string" ? parseWrittenDate(value) : undefined) ?? mismatch;
}

export function readFile(value: RawValue): FilePart | Mismatch {
  return value instanceof FilePart ? value : mismatch;
}
