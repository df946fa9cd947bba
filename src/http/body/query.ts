import { type Steps, takeAtOnce } from "../../lib/yield.ts";
import { elementsMax, keyLengthMax, keyTooLong, tooManyElements } from "../params/parameter-limits.ts";
import { badRequest } from "../params/refusals.ts";
import { emptyValues, type RawValues } from "../params/values.ts";
import { GatheredValues } from "./brackets.ts";
import { decodeUtf8 } from "./utf8.ts";

/**
 * The query string, without its `?`, as parameters. Throws 400 for what `readPairs` refuses, and for U+FFFD: Bun
 * writes it in the place of raw bytes that are not UTF-8.
 */
export function readQuery(search: string): RawValues {
  if (search === "") return emptyValues();
  if (search.includes("%EF%BF%BD")) throw badRequest();
  return readPairs(search);
}

/** A form's bytes as parameters, in steps. Throws as `readPairs`. */
export function readForm(bytes: Uint8Array): Steps<RawValues> {
  return pairSteps(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
}

/**
 * `a=1&b[]=2&c` → parameters; the last of several plain keys wins, a key without `=` has null (rest-conventions
 * 2.3). Each character stands for a byte. Throws 400 for a broken escape, a NUL, text that is not UTF-8, and too many.
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

/** The pairs of a text, one after the other. */
class Pairs {
  /** Pairs so far; those without anything in them take time, too. */
  count = 0;
  readonly #text: string;
  #start = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** undefined after the last pair. Throws 400 when there are too many. */
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

/** Throws 400 for a long key. */
function splitPair(pair: string): readonly [key: string, value?: string] {
  const equals = pair.indexOf("=");
  const keyEnd = equals === -1 ? pair.length : equals;
  if (keyEnd > escapedKeyLengthMax) throw keyTooLong();
  return equals === -1 ? [pair] : [pair.slice(0, keyEnd), pair.slice(equals + 1)];
}

/** Pairs, and bytes of a text, that one step reads: about a millisecond. */
const pairsPerStep = 1_024;
const bytesPerStep = 256 * 1024;

/** More than all elements that a request may have: some of these pairs are empty. */
const pairsMax = 2 * elementsMax;

/** No key is decoded that is too long however it was escaped: `%F0%9F%98%80` is two characters of the text. */
const escapedKeyLengthMax = 9 * keyLengthMax;

/** One key or value of a query or form: `+` is a space, escapes are decoded once. Throws 400. */
function decodeText(encoded: string): string {
  if (!encodedSigns.test(encoded)) return encoded;
  const isLong = encoded.length > scratch.length;
  const bytes = isLong ? Buffer.from(encoded, "latin1") : scratch;
  const decoder = new Decoder(bytes, isLong ? bytes.length : scratch.write(encoded, "latin1"));
  decoder.decode(Number.POSITIVE_INFINITY);
  return decoder.text();
}

/** Characters that decoding changes or refuses. */
const encodedSigns = /[+%\0\x80-\xff]/;

/** Reused buffer for decoding short texts. */
const scratch = Buffer.alloc(1024);

const [plus, percent, space] = [0x2b, 0x25, 0x20];

/** Decodes the first bytes of a buffer in place: string functions take seconds for a body of nothing but `+`. */
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

  /** Decodes so many bytes more; true at the end. Throws 400. */
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
