import { elementsMax, keyLengthMax, keyTooLong, tooManyElements } from "../params/parameter-limits.ts";
import { badRequest } from "../params/refusals.ts";
import type { RawValues } from "../params/values.ts";
import { GatheredValues } from "./brackets.ts";
import { decodeUtf8 } from "./utf8.ts";

/**
 * The query string, without its `?`, as parameters. Throws 400 for what `readPairs` refuses, and for U+FFFD: Bun
 * writes it in the place of raw bytes that are not UTF-8.
 */
export function readQuery(search: string): RawValues {
  if (search.includes("%EF%BF%BD")) throw badRequest();
  return readPairs(search);
}

/** A form's bytes as parameters. Throws as `readPairs`. */
export function readForm(bytes: Uint8Array): RawValues {
  return readPairs(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
}

/**
 * `a=1&b[]=2&c` → parameters; the last of several plain keys wins, a key without `=` has null (rest-conventions
 * 2.3). Each character stands for a byte. Throws 400 for a broken escape, a NUL, text that is not UTF-8, and too many.
 */
export function readPairs(text: string): RawValues {
  const gathered = new GatheredValues();
  let start = 0;
  let pairs = 0;
  while (start < text.length) {
    pairs += 1;
    // Pairs without anything in them take time, too.
    if (pairs > pairsMax) throw tooManyElements();
    const mark = text.indexOf("&", start);
    const end = mark === -1 ? text.length : mark;
    if (end > start) putPair(gathered, text.slice(start, end));
    start = end + 1;
  }
  return gathered.values;
}

function putPair(gathered: GatheredValues, pair: string): void {
  const equals = pair.indexOf("=");
  const keyEnd = equals === -1 ? pair.length : equals;
  if (keyEnd > escapedKeyLengthMax) throw keyTooLong();
  gathered.put(decodeText(pair.slice(0, keyEnd)), equals === -1 ? null : decodeText(pair.slice(equals + 1)));
}

/** More than all elements that a request may have: some of these pairs are empty. */
const pairsMax = 2 * elementsMax;

/** No key is decoded that is too long however it was escaped: `%F0%9F%98%80` is two characters of the text. */
const escapedKeyLengthMax = 9 * keyLengthMax;

/** One key or value of a query or form: `+` is a space, escapes are decoded once. Throws 400. */
function decodeText(encoded: string): string {
  if (!encodedSigns.test(encoded)) return encoded;
  if (encoded.length > scratch.length) return decodeBytes(Buffer.from(encoded, "latin1"), encoded.length);
  return decodeBytes(scratch, scratch.write(encoded, "latin1"));
}

/** Characters that decoding changes or refuses. */
const encodedSigns = /[+%\0\x80-\xff]/;

/** Reused buffer for decoding short texts. */
const scratch = Buffer.alloc(1024);

const [plus, percent, space] = [0x2b, 0x25, 0x20];

/** Decodes the first `size` bytes in place: string functions take seconds for a body of nothing but `+`. */
function decodeBytes(bytes: Buffer, size: number): string {
  let length = 0;
  let allBits = 0;
  for (let at = 0; at < size; at += 1) {
    let byte = bytes[at] as number;
    if (byte === plus) byte = space;
    else if (byte === percent) {
      if (at + 2 >= size) throw badRequest();
      byte = 16 * hexDigit(bytes[at + 1] as number) + hexDigit(bytes[at + 2] as number);
      at += 2;
    }
    if (byte === 0) throw badRequest();
    allBits |= byte;
    bytes[length] = byte;
    length += 1;
  }
  return allBits < 0x80 ? bytes.toString("latin1", 0, length) : decodeUtf8(bytes.subarray(0, length));
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  if (letter >= 0x61 && letter <= 0x66) return letter - 0x57;
  throw badRequest();
}
