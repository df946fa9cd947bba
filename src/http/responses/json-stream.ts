import { JsonText, joinList } from "../../lib/text/json-text.ts";

/** Answers up to here are put together before they leave; larger ones are made while they are sent. */
export const wholeBytesMax = 4 * 1024 * 1024;

/** Entries of a list are turned into text so many at a time, so that no more text is there at once. */
const sliceItems = 4;

/** Where lists are put together; the rest of a character that does not fit takes up to three bytes. */
const desk = Buffer.allocUnsafeSlow(wholeBytesMax + 4);
const comma = ",".charCodeAt(0);

/** A value whose JSON is too large to be put together. */
export class LargeJson {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** The entries of a list as JSON, unless that is too large. */
export function listJson(items: readonly unknown[]): JsonText | LargeJson {
  if (items[0] instanceof JsonText) return joinedList(items as readonly JsonText[]);
  let size = 0;
  for (let at = 0; at === 0 || at < items.length; at += sliceItems) {
    const text = JSON.stringify(items.length <= sliceItems ? items : items.slice(at, at + sliceItems));
    // The bracket that begins a slice takes the place of the one that ends the slice before.
    const start = at === 0 ? 0 : size - 1;
    size = start + desk.write(text, start);
    if (size > wholeBytesMax) return new LargeJson(items);
    if (at > 0) desk[start] = comma;
  }
  return new JsonText(new Uint8Array(desk.subarray(0, size)));
}

function joinedList(items: readonly JsonText[]): JsonText | LargeJson {
  const size = items.reduce((sum, { bytes }) => sum + bytes.length + 1, 2);
  return size > wholeBytesMax ? new LargeJson(items) : joinList(items);
}

/** A value as JSON, unless that is too large. */
export function valueJson(value: unknown): string | LargeJson {
  const text = JSON.stringify(value);
  return text !== undefined && sizeOf(text) > wholeBytesMax ? new LargeJson(value) : text;
}

/** In bytes, but for what is small however it is written. */
function sizeOf(text: string): number {
  return text.length * 3 <= wholeBytesMax ? text.length : Buffer.byteLength(text);
}

/**
 * The JSON in pieces: each is made when the one before was taken, after others had their turn. `onFailure` is told what
 * keeps a piece from being made; the connection breaks off then.
 */
export function streamJson(
  { value }: LargeJson,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces = bytesOf(textsOf(value));
  let isTaken = true;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        await new Promise(setImmediate);
        if (!isTaken) return;
        try {
          const { value: piece, done } = pieces.next();
          if (done === true) controller.close();
          else controller.enqueue(piece);
        } catch (error) {
          onFailure(error);
          throw error;
        }
      },
      cancel() {
        isTaken = false;
      },
    },
    { highWaterMark: 0 },
  );
}

/** As `JSON.stringify` writes it: the elements of an array, and the members of an object, one by one. */
function* textsOf(value: unknown): Generator<string | JsonText> {
  if (Array.isArray(value)) yield* elementsOf(value);
  else if (!isPlain(value)) yield JSON.stringify(value);
  else {
    let before = "{";
    for (const [name, member] of Object.entries(value)) {
      const text = Array.isArray(member) ? "" : JSON.stringify(member);
      if (text === undefined) continue;
      yield `${before}${JSON.stringify(name)}:${text}`;
      if (Array.isArray(member)) yield* elementsOf(member);
      before = ",";
    }
    yield before === "{" ? "{}" : "}";
  }
}

function* elementsOf(array: readonly unknown[]): Generator<string | JsonText> {
  let before = "[";
  for (const element of array) {
    if (element instanceof JsonText) {
      yield before;
      yield element;
    } else yield `${before}${JSON.stringify(element) ?? "null"}`;
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !("toJSON" in value);
}

/** Bytes that are sent at once, or a little more. */
const pieceBytes = 256 * 1024;

/** Texts in UTF-8, small ones together, long ones in parts. */
function* bytesOf(texts: Iterable<string | JsonText>): Generator<Uint8Array<ArrayBuffer>> {
  let waiting: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (const text of texts) {
    for (const part of text instanceof JsonText ? [text.bytes] : partsOf(text)) {
      waiting.push(part);
      size += part.length;
      if (size < pieceBytes) continue;
      yield waiting.length === 1 ? part : Buffer.concat(waiting, size);
      waiting = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(waiting, size);
}

/** No pair of surrogates is cut. */
function* partsOf(text: string): Generator<Uint8Array<ArrayBuffer>> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + pieceBytes;
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? "")) end += 1;
    yield Buffer.from(text.slice(start, end));
  }
}
