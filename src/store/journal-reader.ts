import { damaged } from "./damage.ts";
import type { Disk } from "./disk.ts";
import { type HeaderLine, journalFormat, type MarkLine, type TransactionLine, verifiedText } from "./journal-line.ts";

const lineFeed = 10;

/** What the journal held when the store was opened. */
export interface RecoveredJournal {
  /** Files with transactions in them, oldest first; the last one goes on being written. */
  readonly files: readonly RecoveredFile[];
  /** Number of the last transaction; 0 when there was never one. */
  readonly lastSequence: number;
}

export interface RecoveredFile {
  readonly name: string;
  readonly size: number;
  readonly lastSequence: number;
  /** Where the next line goes. */
  readonly end: number;
  /** Bytes after `end` that are not zero: a torn line that nobody was told about. */
  readonly tornBytes: number;
}

const journalName = /^\d{8}\.log$/;

/** Names of the journal's files, oldest first. */
export function journalFileNames(disk: Disk, folder: string): string[] {
  return disk.list(folder).filter((name) => journalName.test(name));
}

/**
 * Reads all journal files in order and hands every transaction to `replay`.
 * A torn end is left out; anything else that is not as it was written throws (`damaged`): a bad checksum with a
 * later line that calls it synced, a gap in the numbers, a file of another store.
 */
export function readJournal(
  disk: Disk,
  folder: string,
  store: string,
  replay: (line: TransactionLine) => void,
): RecoveredJournal {
  const files: RecoveredFile[] = [];
  const names = journalFileNames(disk, folder);
  let lastSequence = 0;
  let torn: { path: string; offset: number } | undefined;
  for (const name of names) {
    const path = `${folder}/${name}`;
    const reader = new FileReader(path, disk.read(path), store, files.length === 0 ? undefined : lastSequence + 1);
    if (reader.isEmpty) {
      const tornBytes = reader.blankFrom(0);
      files.push({ name, size: reader.size, lastSequence, end: 0, tornBytes });
      if (tornBytes > 0) torn = { path, offset: 0 };
      continue;
    }
    // A file is only begun once the one before it is synced to its last line.
    if (torn !== undefined)
      throw damaged(torn.path, torn.offset, "an unreadable line, and a later file goes on after it");
    if (files.length === 0) lastSequence = reader.from - 1;
    const scan = reader.scan(lastSequence, replay);
    lastSequence = scan.lastSequence;
    files.push({ name, size: reader.size, lastSequence, end: scan.end, tornBytes: scan.tornBytes });
    if (scan.tornBytes > 0) torn = { path, offset: scan.end };
  }
  return { files, lastSequence };
}

class FileReader {
  readonly size: number;
  readonly from: number;
  readonly isEmpty: boolean;
  readonly #path: string;
  readonly #bytes: Uint8Array;
  readonly #headerEnd: number;

  constructor(path: string, bytes: Uint8Array, store: string, expectedFrom: number | undefined) {
    this.#path = path;
    this.#bytes = bytes;
    this.size = bytes.byteLength;
    const end = bytes.indexOf(lineFeed);
    const header = end < 0 ? undefined : (this.#parse(0, end) as Partial<HeaderLine> | undefined);
    this.#headerEnd = end + 1;
    this.isEmpty = header?.outpost_journal === undefined;
    this.from = header?.from ?? 0;
    if (this.isEmpty) {
      this.#refuseLinesAfter(0, expectedFrom === undefined ? 0 : expectedFrom - 1);
      return;
    }
    if (header?.outpost_journal !== journalFormat) throw damaged(path, 0, `journal format ${header?.outpost_journal}`);
    if (header.store !== store) throw damaged(path, 0, `it belongs to store ${header.store}, not to ${store}`);
    if (expectedFrom !== undefined && header.from !== expectedFrom) {
      throw damaged(path, 0, `it begins with transaction ${header.from} where ${expectedFrom} is next`);
    }
  }

  /** Hands on every transaction; returns where the good part ends. */
  scan(
    lastBefore: number,
    replay: (line: TransactionLine) => void,
  ): { lastSequence: number; end: number; tornBytes: number } {
    let lastSequence = lastBefore;
    let offset = this.#headerEnd;
    while (offset < this.size && this.#bytes[offset] !== 0) {
      const end = this.#bytes.indexOf(lineFeed, offset);
      const line = end < 0 ? undefined : this.#parseLine(offset, end);
      if (line === undefined) break;
      if (line.t === undefined) {
        if (line.d > lastSequence) throw damaged(this.#path, offset, `transaction ${line.d} was synced and is missing`);
        offset = end + 1;
        continue;
      }
      if (line.t !== lastSequence + 1) {
        throw damaged(this.#path, offset, `transaction ${line.t} where ${lastSequence + 1} is next`);
      }
      replay(line);
      lastSequence = line.t;
      offset = end + 1;
    }
    this.#refuseLinesAfter(offset, lastSequence);
    return { lastSequence, end: offset, tornBytes: this.blankFrom(offset) - offset };
  }

  /** The first byte at or after `offset` from which on everything is zero. */
  blankFrom(offset: number): number {
    let end = this.size;
    while (end > offset && this.#bytes[end - 1] === 0) end -= 1;
    return end;
  }

  /** Lines after an unreadable place are harmless leftovers of one unsynced write, unless one knows better. */
  #refuseLinesAfter(offset: number, lastSequence: number): void {
    const blank = this.blankFrom(offset);
    let start = offset;
    while (start < blank) {
      const end = this.#bytes.indexOf(lineFeed, start);
      if (end < 0 || end >= blank) return;
      const line = this.#parseWithin(start, end);
      if (line !== undefined && line.d > lastSequence) {
        throw damaged(this.#path, offset, `an unreadable line; a later one says that transaction ${line.d} was synced`);
      }
      start = end + 1;
    }
  }

  /** A torn page may leave zeros before the rest of a line, so the line is looked for behind them too. */
  #parseWithin(start: number, end: number): TransactionLine | MarkLine | undefined {
    let first = start;
    while (first < end && this.#bytes[first] === 0) first += 1;
    return this.#parseLine(first, end);
  }

  #parseLine(start: number, end: number): TransactionLine | MarkLine | undefined {
    return this.#parse(start, end) as TransactionLine | MarkLine | undefined;
  }

  #parse(start: number, end: number): unknown {
    const text = verifiedText(this.#bytes, start, end);
    return text === undefined ? undefined : JSON.parse(text);
  }
}
