import { JsonText } from "../../lib/text/json-text.ts";
import { StoredJson } from "../../lib/text/stored-json.ts";

/** Answers up to this size are built before they are sent. Larger ones are built while they are sent. */
export const wholeBytesMax = 4 * 1024 * 1024;

/** Answers up to this size are sent at once. */
export const smallBytesMax = 256 * 1024;

/** The size of a piece of a large answer. A piece may be slightly larger. */
export const pieceBytes = 256 * 1024;

/** The memory of an object member, besides its texts. */
const entryBytes = 100;
/** The most memory of a character. */
const characterBytes = 2;

/** Allocated for the first list: at the start, its size alone would trigger a garbage collection. */
let scratchBuffer: Buffer<ArrayBuffer> | undefined;
const [openingBracket, comma, closingBracket] = [0x5b, 0x2c, 0x5d];

/** A value whose JSON is too large to be built at once. */
export class LargeJson {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  /** Returns its UTF-8 text in pieces, each made on demand. */
  pieces(): Iterator<Uint8Array<ArrayBuffer>> {
    return bytesOf(partsOf(this.value));
  }

  /**
   * Returns the approximate memory that it holds until it is sent. Texts count up to `textBytesMax`, since the store may
   * hold them too.
   */
  weight(textBytesMax: number): number {
    const texts = characterBytes * lengthOf(this.value, textBytesMax / characterBytes);
    return Math.min(texts, textBytesMax) + entryBytes * entriesOf(this.value);
  }
}

/**
 * Returns the entries of a list as JSON. The bytes of a small list are valid only until the next list is made; a `Response`
 * copies them. Entries are serialised one by one, since the runtime takes two to five times as long for a text with a
 * character beyond Latin-1.
 */
export function listJson(items: readonly unknown[]): JsonText | LargeJson {
  if (items.length === 0) return new JsonText(Buffer.from("[]"));
  if (items[0] instanceof JsonText) return joinedList(items as readonly JsonText[]);
  if (lengthOf(items, wholeBytesMax) > wholeBytesMax) return new LargeJson(items);
  const scratch = listBuffer();
  let end = 0;
  for (const item of items) {
    scratch[end] = end === 0 ? openingBracket : comma;
    end += 1 + scratch.write(JSON.stringify(item ?? null), end + 1);
    if (end >= wholeBytesMax) return new LargeJson(items);
  }
  return endedList(scratch, end);
}

function joinedList(items: readonly JsonText[]): JsonText | LargeJson {
  const size = items.reduce((sum, { bytes }) => sum + bytes.length + 1, 2);
  if (size > wholeBytesMax) return new LargeJson(items);
  const scratch = listBuffer();
  let end = 0;
  for (const { bytes } of items) {
    scratch[end] = end === 0 ? openingBracket : comma;
    scratch.set(bytes, end + 1);
    end += bytes.length + 1;
  }
  return endedList(scratch, end);
}

/** Returns the shared buffer for the JSON of a list. Its last bytes are for the rest of a character. */
function listBuffer(): Buffer<ArrayBuffer> {
  scratchBuffer ??= Buffer.allocUnsafeSlow(wholeBytesMax + 4);
  return scratchBuffer;
}

/** Returns the list in the buffer, whose entries end here. */
function endedList(scratch: Buffer<ArrayBuffer>, end: number): JsonText {
  scratch[end] = closingBracket;
  const bytes = scratch.subarray(0, end + 1);
  return new JsonText(bytes.length <= smallBytesMax ? bytes : new Uint8Array(bytes));
}

/** Returns a value as JSON, unless it is too large. */
export function valueJson(value: unknown): string | LargeJson {
  if (lengthOf(value, wholeBytesMax) > wholeBytesMax) return new LargeJson(value);
  const text = JSON.stringify(value);
  return text !== undefined && sizeOf(text) > wholeBytesMax ? new LargeJson(value) : text;
}

/** Returns the size in bytes. For a text that is small in any encoding, its length suffices. */
function sizeOf(text: string): number {
  return text.length * 3 <= wholeBytesMax ? text.length : Buffer.byteLength(text);
}

/**
 * Returns a lower bound of the length of a value's JSON, counted up to `max`. `JSON.stringify` would block the event loop
 * and fill memory before its text could be measured.
 */
function lengthOf(value: unknown, max: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 0;
  if (value instanceof StoredJson) return value.text.length;
  if (value instanceof JsonText) return value.bytes.length;
  let length = 2;
  if (Array.isArray(value)) {
    for (const element of value) {
      length += lengthOf(element, max - length);
      if (length > max) return length;
    }
  } else if (isPlain(value)) {
    for (const name in value) {
      const member = value[name];
      if (typeof member === "string") length += member.length;
      else if (typeof member === "object" && member !== null) length += lengthOf(member, max - length);
      if (length > max) return length;
    }
  }
  return length;
}

/** Returns the number of values in a value. */
function entriesOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  if (value instanceof StoredJson || value instanceof JsonText || !isPlain(value)) return 1;
  let entries = 1;
  if (Array.isArray(value)) for (const element of value) entries += entriesOf(element);
  else for (const name in value) entries += entriesOf(value[name]);
  return entries;
}

/** Yields the text of `JSON.stringify` in parts: array elements, object members, pieces of a text. */
function* partsOf(value: unknown): Generator<string | JsonText> {
  if (typeof value === "string") yield* stringTexts(value);
  else if (Array.isArray(value)) yield* arrayTexts(value);
  else if (typeof value === "object" && value !== null && isPlain(value)) yield* objectTexts(value);
  else yield JSON.stringify(value);
}

/** Yields `before`, then the parts of a value, or both as one part if the value fits into a piece. */
function* textsOf(value: unknown, before: string): Generator<string | JsonText> {
  if (value instanceof JsonText) {
    yield before;
    yield value;
  } else if (value instanceof StoredJson) {
    yield before;
    yield value.text;
  } else if (lengthOf(value, pieceBytes) <= pieceBytes) yield before + JSON.stringify(value);
  else {
    yield before;
    yield* partsOf(value);
  }
}

function* arrayTexts(array: readonly unknown[]): Generator<string | JsonText> {
  let before = "[";
  for (const element of array) {
    // `JSON.stringify` also writes null for undefined in an array, and leaves out an undefined member.
    yield* textsOf(element ?? null, before);
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

function* objectTexts(object: Readonly<Record<string, unknown>>): Generator<string | JsonText> {
  let before = "{";
  for (const [name, member] of Object.entries(object)) {
    if (member === undefined) continue;
    yield* textsOf(member, `${before}${JSON.stringify(name)}:`);
    before = ",";
  }
  yield before === "{" ? "{}" : "}";
}

function* stringTexts(text: string): Generator<string> {
  yield '"';
  for (const piece of piecesOf(text)) yield JSON.stringify(piece).slice(1, -1);
  yield '"';
}

/** False for a value with its own `toJSON`. */
function isPlain(value: object): value is Record<string, unknown> {
  return !("toJSON" in value);
}

/** Yields texts in UTF-8, joining small ones and splitting long ones. */
function* bytesOf(texts: Iterable<string | JsonText>): Generator<Uint8Array<ArrayBuffer>> {
  let waiting: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (const text of texts) {
    for (const part of text instanceof JsonText ? [text.bytes] : piecesOf(text)) {
      const bytes = typeof part === "string" ? Buffer.from(part) : part;
      waiting.push(bytes);
      size += bytes.length;
      if (size < pieceBytes) continue;
      yield waiting.length === 1 ? bytes : Buffer.concat(waiting, size);
      waiting = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(waiting, size);
}

/** Splits a text into pieces, never within a character. */
function* piecesOf(text: string): Generator<string> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + pieceBytes;
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? "")) end += 1;
    yield text.slice(start, end);
  }
}
