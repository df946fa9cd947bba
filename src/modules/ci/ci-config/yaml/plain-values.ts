/** The values of plain scalars, by the rules of Psych, the YAML library of the real platform. */

import { type ExactNumber, floatOf, integerOf } from "../ruby-values.ts";
import { CiFileError } from "../values.ts";

const isTrue = /^(?:yes|true|on)$/i;
const isFalse = /^(?:no|false|off)$/i;
const isNull = /^(?:~|null)$/i;
const time = /^-?\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|\s+)\d{1,2}:\d\d:\d\d(?:\.\d*)?(?:\s*(?:Z|[-+]\d{1,2}:?(?:\d\d)?))?$/;
const date = /^\d{4}-(?:1[012]|0\d|\d)-(?:[12]\d|3[01]|0\d|\d)$/;
const sexagesimal = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9]){1,2}(\.[0-9_]*)?$/;
const float = /^[-+]?(?:[0-9][0-9_,]*)?\.[0-9]*(?:[eE][-+][0-9]+)?$/;
const [binary, octal, decimal, hexadecimal] = [
  /^[-+]?0b[01_,]+$/,
  /^[-+]?0[0-7_,]+$/,
  /^[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)$/,
  /^[-+]?0x[0-9a-fA-F_,]+$/,
];
/** No number has more digits. */
const numberLengthMax = 400;
const secondsPerPart = [3600, 60, 1];

/** Throws `CiFileError` for a date or a time, which the real platform does not load. */
export function plainValue(text: string): unknown {
  if (text === "") return null;
  const first = text.charCodeAt(0);
  // Letters begin no number, and no longer word has a meaning.
  if (first > 58 && text.length > 5) return text;
  if (isNull.test(text)) return null;
  if (isTrue.test(text)) return true;
  if (isFalse.test(text)) return false;
  if (first === 58 && text.length > 1 && !text.includes("\n")) return symbolText(text);
  return text.length > numberLengthMax ? text : (dateOrNumber(text) ?? text);
}

/** `:name` is a symbol, whose text has no colon. */
function symbolText(text: string): string {
  const quoted = /^:(["'])(.*)\1/.exec(text);
  return quoted === null ? text.slice(1) : (quoted[2] as string).replace(/^:/, "");
}

function dateOrNumber(text: string): number | ExactNumber | undefined {
  if (time.test(text)) throw new CiFileError("Tried to load unspecified class: Time");
  if (date.test(text)) throw new CiFileError("Tried to load unspecified class: Date");
  if (/^\+?\.inf$/i.test(text)) return floatOf(Number.POSITIVE_INFINITY);
  if (/^-\.inf$/i.test(text)) return floatOf(Number.NEGATIVE_INFINITY);
  if (/^\.nan$/i.test(text)) return floatOf(Number.NaN);
  const parts = sexagesimal.exec(text);
  if (parts !== null) return sexagesimalNumber(text, parts[1] !== undefined);
  if (float.test(text)) return floatNumber(text);
  return integerNumber(text);
}

/** Psych counts the first part as hours, also of two. */
function sexagesimalNumber(text: string, isFloat: boolean): number | ExactNumber {
  const numbers = text.split(":").map((part) => Number(part.replaceAll("_", "")));
  const seconds = numbers.reduce((sum, part, at) => sum + part * (secondsPerPart[at] as number), 0);
  return isFloat ? floatOf(seconds) : integerOf(BigInt(seconds));
}

function floatNumber(text: string): number | ExactNumber | undefined {
  const digits = text.replaceAll(/[,_]/g, "");
  return /^[-+]?\.(?:e|$)/i.test(digits) ? undefined : floatOf(Number(digits));
}

function integerNumber(text: string): number | ExactNumber | undefined {
  const digits = text.replaceAll(/[-+,_]/g, "");
  const sign = text.startsWith("-") ? -1n : 1n;
  if (decimal.test(text)) return integerOf(sign * BigInt(digits));
  if (octal.test(text)) return integerOf(sign * BigInt(`0o${digits}`));
  if (digits.length > 2 && (binary.test(text) || hexadecimal.test(text))) return integerOf(sign * BigInt(digits));
  return undefined;
}
