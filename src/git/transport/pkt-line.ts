/** Lines of git's protocol, each with its length in front (gitprotocol-common). */

const lengthDigits = 4;
/** Bytes of a line with its length, at most. */
const lineBytesMax = 65_520;
/** Bytes of a pack in one line of a side band. */
export const bandBytesMax = lineBytesMax - lengthDigits - 1;

export const flushPacket = Buffer.from("0000");
export const delimiterPacket = Buffer.from("0001");

/** A line, or what separates lines. */
export type Packet = Buffer | "flush" | "delimiter" | "end";

/** The bytes are not lines of git's protocol. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
}

/** A line of a text, one byte a character above 127 is not: it is UTF-8. */
export function packetLine(text: string | Uint8Array): Buffer {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  if (bytes.length > lineBytesMax - lengthDigits) throw new Error("a line of git's protocol is too long");
  return Buffer.concat([Buffer.from((bytes.length + lengthDigits).toString(16).padStart(lengthDigits, "0")), bytes]);
}

/** Bytes before those of a pack in a line of a side band. */
export const bandHeadBytes = lengthDigits + 1;

/** Writes what begins a line of band 1 that has `length` bytes, its head included. */
export function writeBandHead(target: Buffer, start: number, length: number): void {
  target.write(length.toString(16).padStart(lengthDigits, "0"), start, "latin1");
  target[start + lengthDigits] = 1;
}

/** Bytes of a side band: 1 is data, 2 are messages, 3 is an error that ends all. */
export function bandLine(band: 1 | 2 | 3, bytes: Uint8Array): Buffer {
  const length = (bytes.length + lengthDigits + 1).toString(16).padStart(lengthDigits, "0");
  return Buffer.concat([Buffer.from(length), Buffer.from([band]), bytes]);
}

/** The text of a line without the line break at its end. */
export function textOfLine(line: Buffer): string {
  return line.toString("utf8", 0, line.at(-1) === 0x0a ? line.length - 1 : line.length);
}

/** Reads lines from bytes that come in pieces. Throws `ProtocolError`. */
export class PacketReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** undefined at the end of the bytes. */
  async next(): Promise<Packet | undefined> {
    if (!(await this.#fill(lengthDigits))) {
      if (this.#bytes.length === 0) return undefined;
      throw new ProtocolError("a line is cut off");
    }
    const digits = this.#bytes.toString("latin1", 0, lengthDigits);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new ProtocolError("a line has no length");
    const length = Number.parseInt(digits, 16);
    if (length === 3 || length > lineBytesMax) throw new ProtocolError(`a line has the length ${digits}`);
    if (length < lengthDigits) {
      this.#bytes = this.#bytes.subarray(lengthDigits);
      return length === 0 ? "flush" : length === 1 ? "delimiter" : "end";
    }
    if (!(await this.#fill(length))) throw new ProtocolError("a line is cut off");
    const line = this.#bytes.subarray(lengthDigits, length);
    this.#bytes = this.#bytes.subarray(length);
    return line;
  }

  /** The bytes behind the lines that were read. */
  async *rest(): AsyncGenerator<Uint8Array> {
    if (this.#bytes.length > 0) yield this.#bytes;
    this.#bytes = Buffer.alloc(0);
    for (let piece = await this.#source.next(); piece.done !== true; piece = await this.#source.next()) {
      yield piece.value;
    }
  }

  /** Waits until so many bytes are there; false when they end before. */
  async #fill(length: number): Promise<boolean> {
    while (this.#bytes.length < length) {
      const { value, done } = await this.#source.next();
      if (done === true) return false;
      this.#bytes = this.#bytes.length === 0 ? Buffer.from(value) : Buffer.concat([this.#bytes, value]);
    }
    return true;
  }
}

/** Lines of a request that fetches: as many commits as both sides may name, and some more. */
const packetsMax = 450_000;

/** All lines of bytes in memory. Throws `ProtocolError`. */
export async function readPackets(bytes: Uint8Array): Promise<Packet[]> {
  const reader = new PacketReader(onePiece(bytes));
  const packets: Packet[] = [];
  for (let next = await reader.next(); next !== undefined; next = await reader.next()) {
    if (next.length === 0) throw new ProtocolError("a line is empty");
    if (packets.push(next) > packetsMax) throw new ProtocolError("too many lines");
  }
  return packets;
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
