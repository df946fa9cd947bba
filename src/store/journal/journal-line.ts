/** One changed document: collection, id, and the whole new document, or null when it was removed. */
export type Change = readonly [collection: string, id: number, document: object | null];

/** One line of the journal: a transaction, or the header that opens each file. */
export interface TransactionLine {
  /** Sequence number; the next line has the next one. */
  readonly t: number;
  /**
   * Everything up to this number was already synced when this line was written. It separates a torn tail, which was not
   * acknowledged, from damage: a missing line that a later line calls synced was acknowledged.
   */
  readonly d: number;
  readonly o: readonly Change[];
}

/** Written when a flush is done and nothing waits: `d` is synced, so a line missing before it was acknowledged. */
export interface MarkLine {
  readonly t?: undefined;
  readonly d: number;
}

export interface HeaderLine {
  readonly outpost_journal: number;
  readonly store: string;
  /** Sequence number of the first transaction in the file. */
  readonly from: number;
}

export const journalFormat = 1;

/** The most bytes that a line needs beside its changes: checksum, keys, two numbers, line feed, and a mark after it. */
export const lineOverheadMax = 128;

const lineFeed = 10;
const space = 32;
const openingBrace = 123;
const checksumLength = 8;

/** A buffer that lines are encoded into, grown as needed and used again for every flush. */
export class LineBuffer {
  #buffer = Buffer.allocUnsafe(1 << 18);
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  /** Appends `checksum SP json LF`; `bytesMax` is the most that the JSON text can take. */
  push(json: string, bytesMax: number): void {
    const start = this.#length + checksumLength + 1;
    if (start + bytesMax + 1 > this.#buffer.byteLength) this.#grow(start + bytesMax + 1);
    const end = start + this.#buffer.write(json, start, "utf8");
    const checksum = checksumOf(this.#buffer.subarray(start, end));
    this.#buffer.write(`${checksum} `, this.#length, "latin1");
    this.#buffer[end] = lineFeed;
    this.#length = end + 1;
  }

  /** Valid until the next `clear`. */
  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#buffer.byteLength * 2));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}

/** CRC-32 as eight hexadecimal digits. */
export function checksumOf(bytes: Uint8Array): string {
  return Bun.hash.crc32(bytes).toString(16).padStart(checksumLength, "0");
}

/** The JSON text of a line whose checksum holds, or undefined. `end` is the place of the line feed. */
export function verifiedText(bytes: Uint8Array, start: number, end: number): string | undefined {
  const textStart = start + checksumLength + 1;
  if (end <= textStart || bytes[textStart - 1] !== space || bytes[textStart] !== openingBrace) return undefined;
  const stated = Buffer.from(bytes.buffer, bytes.byteOffset + start, checksumLength).toString("latin1");
  const text = bytes.subarray(textStart, end);
  return stated === checksumOf(text) ? new TextDecoder().decode(text) : undefined;
}
