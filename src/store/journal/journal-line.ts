/** One changed document: collection, id, and the new document, or null when it was removed. */
export type Change = readonly [collection: string, id: number, document: object | null];

/** One line of the journal: a transaction, or the header that opens each file. */
export interface TransactionLine {
  /** The sequence number. Numbers have no gaps. */
  readonly t: number;
  /**
   * Everything up to this number was synced before this line was written. It distinguishes a torn end, which was not acknowledged,
   * from damage: a missing line that a later line marks as synced was acknowledged.
   */
  readonly d: number;
  readonly o: readonly Change[];
}

/** Written after a flush when no transaction waits. `d` is synced, so a missing line before it was acknowledged. */
export interface MarkLine {
  readonly t?: undefined;
  readonly d: number;
}

export interface HeaderLine {
  readonly outpost_journal: number;
  readonly store: string;
  /** The sequence number of the first transaction in the file. */
  readonly from: number;
}

export const journalFormat = 1;

/** The largest size of a line without its changes: checksum, keys, two numbers, line feed, and a mark after it. */
export const lineOverheadMax = 128;

const lineFeed = 10;
const space = 32;
const openingBrace = 123;
const checksumLength = 8;

/** A buffer for encoded lines. It grows as needed, and each flush reuses it. */
export class LineBuffer {
  #buffer = Buffer.allocUnsafe(1 << 18);
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  /** Appends `checksum SP json LF`. `bytesMax` is the largest possible size of the JSON text. */
  push(json: string, bytesMax: number): void {
    const start = this.#length + checksumLength + 1;
    if (start + bytesMax + 1 > this.#buffer.byteLength) this.#grow(start + bytesMax + 1);
    const end = start + this.#buffer.write(json, start, "utf8");
    const checksum = checksumOf(this.#buffer.subarray(start, end));
    this.#buffer.write(`${checksum} `, this.#length, "latin1");
    this.#buffer[end] = lineFeed;
    this.#length = end + 1;
  }

  /** Returns the encoded lines, valid until the next `clear`. */
  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#buffer.byteLength * 2));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}

/** Returns the CRC-32 as eight hexadecimal digits. */
export function checksumOf(bytes: Uint8Array): string {
  return Bun.hash.crc32(bytes).toString(16).padStart(checksumLength, "0");
}

/** Returns the JSON text of a line with a correct checksum, else undefined. `end` is the offset of the line feed. */
export function verifiedText(bytes: Uint8Array, start: number, end: number): string | undefined {
  const textStart = start + checksumLength + 1;
  if (end <= textStart || bytes[textStart - 1] !== space || bytes[textStart] !== openingBrace) return undefined;
  const stated = Buffer.from(bytes.buffer, bytes.byteOffset + start, checksumLength).toString("latin1");
  const text = bytes.subarray(textStart, end);
  return stated === checksumOf(text) ? new TextDecoder().decode(text) : undefined;
}
