import { type Steps, takeAtOnce } from "../../lib/yield.ts";
import { elementsMax, keyLengthMax, keyTooLong, tooManyElements } from "../params/parameter-limits.ts";
import { badRequest } from "../params/refusals.ts";
import { emptyValues, type RawValues } from "../params/values.ts";
import { GatheredValues } from "./brackets.ts";
import { decodeUtf8 } from "./utf8.ts";

/**
 * Returns the parameters of a query string without its `?`. Throws 400 for the errors of `readPairs`, and for U+FFFD, with
 * which Bun replaces raw bytes that are not UTF-8.
 */
export function readQuery(search: string): RawValues {
  if (search === "") return emptyValues();
  if (search.includes("%EF%BF%BD")) throw badRequest();
  return readPairs(search);
}

/** Returns the parameters of a form, in steps. Throws the errors of `readPairs`. */
export function readForm(bytes: Uint8Array): Steps<RawValues> {
  return pairSteps(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
}

/**
 * Parses `a=1&b[]=2&c`. The last of several equal plain keys wins, and a key without `=` has the value null
 * (rest-conventions 2.3). Each character stands for a byte. Throws 400 for an invalid escape, a NUL, invalid UTF-8, and too
 * many pairs.
 */
export function readPairs(text: string): RawValues {
  if (text.length > bytesPerStep) return takeAtOnce(pairSteps(text));
  const gathered = new GatheredValues();
  const pairs = new Pairs(text);
  for (let pair = pairs.next(); pair !== undefined; pair = pairs.next()) if (pair !== "") putPair(gathered, pair);
  return gathered.values;
}

function* pairSteps(text: string): Steps<RawValues> {
  const gathered = new GatheredValues();
  const pairs = new Pairs(text);
  for (let pair = pairs.next(); pair !== undefined; pair = pairs.next()) {
    if (pair.length > bytesPerStep) yield* putLongPair(gathered, pair);
    else if (pair !== "") putPair(gathered, pair);
    if (pairs.count % pairsPerStep === 0) yield;
  }
  return gathered.values;
}

/** Iterates over the pairs of a text. */
class Pairs {
  /** The number of pairs so far, including empty ones. */
  count = 0;
  readonly #text: string;
  #start = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns undefined after the last pair. Throws 400 when there are too many. */
  next(): string | undefined {
    if (this.#start >= this.#text.length) return undefined;
    this.count += 1;
    if (this.count > pairsMax) throw tooManyElements();
    const mark = this.#text.indexOf("&", this.#start);
    const end = mark === -1 ? this.#text.length : mark;
    const pair = this.#text.slice(this.#start, end);
    this.#start = end + 1;
    return pair;
  }
}

function putPair(gathered: GatheredValues, pair: string): void {
  const [key, value] = splitPair(pair);
  gathered.put(decodeText(key), value === undefined ? null : decodeText(value));
}

function* putLongPair(gathered: GatheredValues, pair: string): Steps {
  const [key, value = ""] = splitPair(pair);
  const decoder = new Decoder(Buffer.from(value, "latin1"), value.length);
  while (!decoder.decode(bytesPerStep)) yield;
  gathered.put(decodeText(key), decoder.text());
}

/** Throws 400 for a key that is too long. */
function splitPair(pair: string): readonly [key: string, value?: string] {
  const equals = pair.indexOf("=");
  const keyEnd = equals === -1 ? pair.length : equals;
  if (keyEnd > escapedKeyLengthMax) throw keyTooLong();
  return equals === -1 ? [pair] : [pair.slice(0, keyEnd), pair.slice(equals + 1)];
}

/** The pairs, and the bytes of a text, that one step reads: about a millisecond. */
const pairsPerStep = 1_024;
const bytesPerStep = 256 * 1024;

/** Larger than the most elements of a request, since some pairs may be empty. */
const pairsMax = 2 * elementsMax;

/** The longest escaped key that may decode to an allowed length: `%F0%9F%98%80` is two characters. */
const escapedKeyLengthMax = 9 * keyLengthMax;

/** Decodes a key or value of a query or form: `+` is a space, escapes are decoded once. Throws 400. */
function decodeText(encoded: string): string {
  if (!encodedSigns.test(encoded)) return encoded;
  const isLong = encoded.length > scratch.length;
  const bytes = isLong ? Buffer.from(encoded, "latin1") : scratch;
  const decoder = new Decoder(bytes, isLong ? bytes.length : scratch.write(encoded, "latin1"));
  decoder.decode(Number.POSITIVE_INFINITY);
  return decoder.text();
}

/** Characters that decoding changes or rejects. */
const encodedSigns = /[+%\0\x80-\xff]/;

/** A reused buffer for decoding short texts. */
const scratch = Buffer.alloc(1024);

const [plus, percent, space] = [0x2b, 0x25, 0x20];

/** Decodes the first bytes of a buffer in place. String functions would take seconds for a body of only `+`. */
class Decoder {
  readonly #bytes: Buffer;
  readonly #size: number;
  #at = 0;
  #length = 0;
  #allBits = 0;

  constructor(bytes: Buffer, size: number) {
    this.#bytes = bytes;
    this.#size = size;
  }

  /** Decodes this many bytes more. Returns true at the end. Throws 400. */
  decode(count: number): boolean {
    const bytes = this.#bytes;
    const size = this.#size;
    const end = Math.min(size, this.#at + count);
    let [at, length, allBits] = [this.#at, this.#length, this.#allBits];
    for (; at < end; at += 1) {
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
    this.#at = at;
    this.#length = length;
    this.#allBits = allBits;
    return at >= size;
  }

  text(): string {
    const decoded = this.#bytes.subarray(0, this.#length);
    return this.#allBits < 0x80 ? decoded.toString("latin1") : decodeUtf8(decoded);
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  if (letter >= 0x61 && letter <= 0x66) return letter - 0x57;
  throw badRequest();
}
