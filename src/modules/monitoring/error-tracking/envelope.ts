/** The reader of envelopes. */

import { isObject, type JsonObject, readDocument } from "./documents.ts";
import { otherItem, unreadable } from "./refusals.ts";

interface Item {
  readonly header: JsonObject;
  readonly payload: Uint8Array;
}

const lineFeed = 10;
const carriageReturn = 13;
/** More than clients put into one envelope. Each item costs work, however short it is. */
const itemsMax = 1000;

/**
 * The event in an envelope: the header of the envelope, then items, each a header and a payload, in lines (error-tracking
 * C). undefined for a transaction, which is not stored. Throws 400 for what is no envelope, or has no event.
 */
export function readEnvelope(bytes: Uint8Array): unknown {
  const lines = new Lines(bytes);
  if (!isObject(readDocument(lines.next() ?? new Uint8Array()))) throw unreadable();
  let count = 0;
  for (let item = readItem(lines); item !== undefined; item = readItem(lines)) {
    if (item.header.type === "event") return readDocument(item.payload);
    if (item.header.type === "transaction" && count === 0) return undefined;
    count += 1;
    if (count === itemsMax) throw unreadable();
  }
  throw count === 0 ? unreadable() : otherItem();
}

function readItem(lines: Lines): Item | undefined {
  const line = lines.next();
  if (line === undefined) return undefined;
  const header = readDocument(line);
  if (!isObject(header)) throw unreadable();
  const payload = typeof header.length === "number" ? lines.take(header.length) : lines.rest();
  return { header, payload };
}

/** Lines that end with a line feed or at the end; a carriage return before it is none of them. */
class Lines {
  readonly #bytes: Uint8Array;
  #place = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The next line that is not empty. */
  next(): Uint8Array | undefined {
    while (this.#isAtLineEnd()) this.#place += 1;
    return this.#place < this.#bytes.length ? this.rest() : undefined;
  }

  #isAtLineEnd(): boolean {
    const byte = this.#bytes[this.#place];
    const next = this.#bytes[this.#place + 1];
    return byte === lineFeed || (byte === carriageReturn && (next === lineFeed || next === undefined));
  }

  /** The rest of this line, which may be empty. */
  rest(): Uint8Array {
    const feed = this.#bytes.indexOf(lineFeed, this.#place);
    const end = feed === -1 ? this.#bytes.length : feed;
    const line = this.#bytes.subarray(this.#place, end);
    this.#place = end + 1;
    return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
  }

  /** Reads `length` bytes; the line has to end behind them. Throws 400. */
  take(length: number): Uint8Array {
    const end = this.#place + length;
    if (!Number.isInteger(length) || length < 0 || end > this.#bytes.length) throw unreadable();
    const taken = this.#bytes.subarray(this.#place, end);
    this.#place = end;
    if (this.rest().length > 0) throw unreadable();
    return taken;
  }
}
