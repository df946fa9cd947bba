/** The texts that the real platform, which is written in Ruby, makes of values of a CI file. */

import type { Budget } from "./budget.ts";

/** A number that JavaScript writes in another way than Ruby, as `1.0`, or cannot hold. */
export class ExactNumber {
  /** As Ruby writes it. */
  readonly text: string;
  readonly isInteger: boolean;

  constructor(text: string, isInteger: boolean) {
    this.text = text;
    this.isInteger = isInteger;
  }

  toJSON(): number | null {
    const number = Number(this.text);
    return Number.isFinite(number) ? number : null;
  }
}

const [fixedMin, fixedMax] = [-4, 15];

/** A floating-point number as Ruby writes it. */
function floatText(number: number): string {
  if (!Number.isFinite(number)) return String(number);
  if (number === 0) return Object.is(number, -0) ? "-0.0" : "0.0";
  const [digits = "", written = "0"] = number.toExponential().split("e");
  const exponent = Number(written);
  if (exponent >= fixedMin && exponent <= fixedMax) return Number.isInteger(number) ? `${number}.0` : String(number);
  const mantissa = digits.includes(".") ? digits : `${digits}.0`;
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** A floating-point number of a file. */
export function floatOf(number: number): number | ExactNumber {
  const text = floatText(number);
  return text === String(number) && Number.isFinite(number) ? number : new ExactNumber(text, false);
}

/** An integer of a file. */
export function integerOf(integer: bigint): number | ExactNumber {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : new ExactNumber(String(integer), true);
}

/** The text of a scalar (`to_s`); undefined for a list, a mapping, or what is not there. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return value instanceof ExactNumber ? value.text : undefined;
}

const stepsPerNode = 1;
const charactersPerStep = 20;

/** A list or mapping as one text (`inspect`), which can be far longer than the file. Throws `CiFileError`. */
export function inspect(value: unknown, budget: Budget): string {
  const parts: string[] = [];
  writeValue(value, parts, budget);
  return parts.join("");
}

function writeValue(value: unknown, parts: string[], budget: Budget): void {
  budget.charge(stepsPerNode);
  if (typeof value === "string") {
    writeText(value, parts, budget);
    return;
  }
  const text = textOf(value);
  if (text !== undefined || typeof value !== "object" || value === null) parts.push(text ?? "nil");
  else if (Array.isArray(value)) writeList(value, parts, budget);
  else writeMapping(value, parts, budget);
}

function writeText(text: string, parts: string[], budget: Budget): void {
  budget.charge(text.length / charactersPerStep);
  parts.push(JSON.stringify(text));
}

function writeList(items: readonly unknown[], parts: string[], budget: Budget): void {
  parts.push("[");
  for (const [at, item] of items.entries()) {
    if (at > 0) parts.push(", ");
    writeValue(item, parts, budget);
  }
  parts.push("]");
}

function writeMapping(mapping: object, parts: string[], budget: Budget): void {
  const entries = Object.entries(mapping);
  budget.charge(entries.length * stepsPerNode);
  parts.push("{");
  for (const [at, [key, inner]] of entries.entries()) {
    if (at > 0) parts.push(", ");
    writeText(key, parts, budget);
    parts.push("=>");
    writeValue(inner, parts, budget);
  }
  parts.push("}");
}
