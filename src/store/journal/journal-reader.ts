import type { Steps } from "../../lib/yield.ts";
import { corruptionError } from "../corruption.ts";
import type { Disk } from "../disk.ts";
import { type HeaderLine, journalFormat, type MarkLine, type TransactionLine, verifiedText } from "./journal-line.ts";

const lineFeed = 10;

/** The content of the journal when the store was opened. */
export interface RecoveredJournal {
  /** Files with transactions, oldest first. The journal continues in the last one. */
  readonly files: readonly RecoveredFile[];
  /** The number of the last transaction; 0 when there is none. */
  readonly lastSequence: number;
}

export interface RecoveredFile {
  readonly name: string;
  readonly size: number;
  readonly lastSequence: number;
  /** The offset of the next line. */
  readonly end: number;
  /** The number of bytes after `end` that are not zero: a torn, unacknowledged line. */
  readonly tornBytes: number;
  /** The end of the file, from the first line that neither a later line nor a later file marks as synced. */
  readonly unmarked: Uint8Array;
}

const journalName = /^\d{8}\.log$/;

/** Returns the names of the journal's files, oldest first. */
export function journalFileNames(disk: Disk, folder: string): string[] {
  return disk.list(folder).filter((name) => journalName.test(name));
}

/**
 * Reads all journal files in order and calls `replay` with every transaction, one per step. Ignores a torn end. Throws
 * `corruptionError` for a wrong checksum before a line that marks it as synced, for a gap in the numbers, and for a file of another
 * store.
 */
export function* readJournal(
  disk: Disk,
  folder: string,
  store: string,
  replay: (line: TransactionLine) => void,
): Steps<RecoveredJournal> {
  const files: (RecoveredFile & { unmarked: Uint8Array })[] = [];
  let last: number | undefined;
  let torn: { path: string; offset: number } | undefined;
  for (const name of journalFileNames(disk, folder)) {
    const path = `${folder}/${name}`;
    const reader = new FileReader(path, disk.read(path), store);
    if (reader.isEmpty) {
      const tornBytes = reader.blankFrom(0);
      reader.refuseLinesAfter(0, last ?? 0);
      files.push({ name, size: reader.size, lastSequence: last ?? 0, end: 0, tornBytes, unmarked: nothing });
      if (tornBytes > 0) torn = { path, offset: 0 };
      continue;
    }
    // The journal begins a file only after the one before it is synced to its last line, so at most a mark can be torn
    // there.
    if (torn !== undefined && reader.from - 1 !== last) {
      throw corruptionError(torn.path, torn.offset, "an unreadable line, although a later file continues after it");
    }
    if (last !== undefined && reader.from - 1 !== last) {
      throw corruptionError(path, 0, `it begins with transaction ${reader.from} instead of ${last + 1}`);
    }
    for (const file of files) file.unmarked = nothing;
    const scan = yield* reader.scan(reader.from - 1, replay);
    last = scan.lastSequence;
    files.push({ name, size: reader.size, ...scan });
    torn = scan.tornBytes > 0 ? { path, offset: scan.end } : undefined;
  }
  return { files, lastSequence: last ?? 0 };
}

const nothing = new Uint8Array(0);

/** Most of a file is still zeros. Comparing pieces of this size is faster than reading each byte. */
const zeros = new Uint8Array(4096);

/** Returns the index from which on all bytes are zero. */
function zerosFrom(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end >= zeros.length && Buffer.compare(bytes.subarray(end - zeros.length, end), zeros) === 0)
    end -= zeros.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return end;
}

class FileReader {
  readonly size: number;
  readonly from: number;
  readonly isEmpty: boolean;
  readonly #path: string;
  readonly #bytes: Uint8Array;
  readonly #headerEnd: number;
  /** The offset where the zeros at the end of the file begin. */
  readonly #zerosFrom: number;

  constructor(path: string, bytes: Uint8Array, store: string) {
    this.#path = path;
    this.#bytes = bytes;
    this.size = bytes.byteLength;
    this.#zerosFrom = zerosFrom(bytes);
    const end = bytes.indexOf(lineFeed);
    const header = end < 0 ? undefined : (this.#parseAny(0, end) as Partial<HeaderLine> | undefined);
    this.#headerEnd = end + 1;
    this.isEmpty = header?.outpost_journal === undefined;
    this.from = header?.from ?? 0;
    if (this.isEmpty) return;
    if (header?.outpost_journal !== journalFormat)
      throw corruptionError(path, 0, `journal format ${header?.outpost_journal}`);
    if (header.store !== store) throw corruptionError(path, 0, `it belongs to store ${header.store}, not to ${store}`);
  }

  /** Calls `replay` with every transaction, and returns the offset where the readable part ends. */
  *scan(
    lastBefore: number,
    replay: (line: TransactionLine) => void,
  ): Steps<Pick<RecoveredFile, "lastSequence" | "end" | "tornBytes" | "unmarked">> {
    let lastSequence = lastBefore;
    let offset = this.#headerEnd;
    /** Transactions that no line has marked as synced yet, and the end of the last one that was. */
    const unmarked: { sequence: number; end: number }[] = [];
    let markedEnd = 0;
    while (offset < this.size && this.#bytes[offset] !== 0) {
      const end = this.#bytes.indexOf(lineFeed, offset);
      const line = end < 0 ? undefined : this.#parse(offset, end);
      if (line === undefined) break;
      if (line.t === undefined) {
        if (line.d > lastSequence)
          throw corruptionError(this.#path, offset, `transaction ${line.d} is missing although it was synced`);
      } else {
        if (line.t !== lastSequence + 1) {
          throw corruptionError(this.#path, offset, `transaction ${line.t} where ${lastSequence + 1} is next`);
        }
        replay(line);
        lastSequence = line.t;
        unmarked.push({ sequence: line.t, end: end + 1 });
      }
      while (unmarked[0] !== undefined && unmarked[0].sequence <= line.d) {
        markedEnd = (unmarked.shift() as { end: number }).end;
      }
      offset = end + 1;
      yield;
    }
    this.refuseLinesAfter(offset, lastSequence);
    return {
      lastSequence,
      end: offset,
      tornBytes: this.blankFrom(offset) - offset,
      // The header or the marks before these lines may be as new as they are, so the part includes them.
      unmarked: unmarked.length > 0 ? this.#bytes.subarray(markedEnd, offset) : nothing,
    };
  }

  /** Returns the first offset, from `offset` on, after which all bytes are zero. */
  blankFrom(offset: number): number {
    return Math.max(offset, this.#zerosFrom);
  }

  /**
   * Throws when a line after an unreadable offset marks it as synced. Otherwise the bytes are the harmless rest of one
   * unsynced write. The line may begin anywhere: after the zeros of a torn page, or after a damaged line feed.
   */
  refuseLinesAfter(offset: number, lastSequence: number): void {
    const blank = this.blankFrom(offset);
    for (let end = this.#bytes.indexOf(lineFeed, offset), start = offset; end >= 0 && end < blank; ) {
      for (let first = start; first < end; first += 1) {
        const line = this.#parse(first, end);
        if (line === undefined || !(line.d > lastSequence)) continue;
        const found = `an unreadable line; a later one says that transaction ${line.d} was synced`;
        throw corruptionError(this.#path, offset, found);
      }
      start = end + 1;
      end = this.#bytes.indexOf(lineFeed, start);
    }
  }

  #parse(start: number, end: number): TransactionLine | MarkLine | undefined {
    return this.#parseAny(start, end) as TransactionLine | MarkLine | undefined;
  }

  #parseAny(start: number, end: number): unknown {
    const text = verifiedText(this.#bytes, start, end);
    return text === undefined ? undefined : JSON.parse(text);
  }
}
