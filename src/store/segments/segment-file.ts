import type { Adapter } from "lowdb";
import { yieldToOthers } from "../../lib/yield.ts";
import { corruptionError } from "../corruption.ts";
import type { Disk, DiskFile } from "../disk.ts";
import type { StoredDocument } from "../indexes/index.ts";
import { CheckedWriter, checkedLines, replaceFileLater, requireWhole } from "./checked-json.ts";
import { forEachLine } from "./lines.ts";
import { Segment, segmentNumberOf } from "./segment.ts";

/** The format version in every segment. The store refuses others. */
export const segmentFormat = 1;
/** Larger files are read in parts. */
const wholeBytesMax = 64 << 20;
/** The longest time of serialising documents before other work runs. */
const sliceMs = 1.5;

interface SegmentHeader {
  readonly checksum: string;
  readonly format: number;
  readonly collection: string;
  readonly segment: number;
  readonly count: number;
  /** The segment has every change up to this transaction. */
  readonly sequence: number;
}

/** The journal, as the writer of segments sees it. */
export interface SegmentWriterOptions {
  readonly disk: Disk;
  /** Returns the number of the last transaction that changed memory. */
  readonly lastSequence: () => number;
  /** Resolves once the journal holds everything that is in memory now; undefined when it does already. */
  readonly settled: () => Promise<void> | undefined;
  /** True for a check, which reads without writing. */
  readonly isReadOnly?: true;
  /** True for a sandbox: the segments of logs stay in memory, so that a restore can remove entries. */
  readonly keepsLogsOpen?: boolean;
}

/**
 * The lowdb adapter for one segment. The file is one JSON object with one document per line:
 * `{"outpost":{"checksum":…},"docs":{"1":{…},"2":{…}}}`, which any lowdb reads. A write makes and syncs a temporary file,
 * waits until the journal is durable up to its content (log before data), renames it and syncs the folder.
 */
export class SegmentFile<T extends StoredDocument> implements Adapter<Segment<T>> {
  readonly #options: SegmentWriterOptions;
  readonly #folder: string;
  readonly #collection: string;
  readonly #number: number;

  constructor(options: SegmentWriterOptions, folder: string, collection: string, number: number) {
    this.#options = options;
    this.#folder = folder;
    this.#collection = collection;
    this.#number = number;
  }

  /** Reads the file. Throws `corruptionError` when it is not complete and unchanged. */
  async read(): Promise<Segment<T>> {
    const { disk } = this.#options;
    const path = `${this.#folder}/${segmentFileName(this.#number)}`;
    const segment = new Segment<T>(this.#collection, this.#number);
    let header: SegmentHeader | undefined;
    // Parses line by line, which is 50 % faster than one object with a thousand numeric keys.
    const take = (line: string) => {
      if (header === undefined) header = this.#readHeader(path, line);
      else if (line.startsWith('"')) this.#readDocument(path, line, segment);
    };
    const length = disk.sizeOf(path);
    if (length <= wholeBytesMax) forEachLine(readWhole(disk, path, length), take);
    // A segment of long texts may be too long for one string.
    else for await (const lines of checkedLines(disk, path)) forEachLine(lines, take);
    return finished(path, header, segment);
  }

  #readHeader(path: string, line: string): SegmentHeader {
    const { outpost } = JSON.parse(`${line}}}`) as { outpost: SegmentHeader };
    if (outpost.format !== segmentFormat) throw corruptionError(path, 0, `segment format ${outpost.format}`);
    if (outpost.collection !== this.#collection || outpost.segment !== this.#number) {
      throw corruptionError(path, 0, `it is segment ${outpost.segment} of ${outpost.collection}`);
    }
    return outpost;
  }

  #readDocument(path: string, line: string, segment: Segment<T>): void {
    const documentStart = line.indexOf(":") + 1;
    const document = JSON.parse(line.slice(documentStart, line.endsWith(",") ? -1 : undefined)) as T;
    if (segmentNumberOf(document.id) !== this.#number)
      throw corruptionError(path, 0, `document ${document.id} does not belong to this segment`);
    segment.set(document.id, document);
  }

  async write(segment: Segment<T>): Promise<void> {
    const { disk, lastSequence, settled } = this.#options;
    const name = segmentFileName(this.#number);
    const sequence = lastSequence();
    if (segment.count === 0) {
      await settled();
      disk.remove(`${this.#folder}/${name}`);
      await disk.syncFolderLater(this.#folder);
    } else {
      // Documents are immutable, so this list is the segment at this moment.
      const documents = [...segment];
      const write = (file: DiskFile) => this.#writeDocuments(file, documents, sequence);
      await replaceFileLater(disk, this.#folder, name, write, settled);
    }
    segment.savedSequence = sequence;
  }

  /** Writes in pieces with pauses, since a segment of long texts may have gigabytes. */
  async #writeDocuments(file: DiskFile, documents: readonly T[], sequence: number): Promise<void> {
    const header = `"format":${segmentFormat},"collection":"${this.#collection}","segment":${this.#number},"count":${documents.length},"sequence":${sequence}`;
    const writer = new CheckedWriter(file, header);
    let sliceEnd = performance.now() + sliceMs;
    let separator = '"docs":{\n';
    for (const document of documents) {
      const written = writer.add(`${separator}"${document.id}":${JSON.stringify(document)}`);
      separator = ",\n";
      if (written !== undefined) await written;
      else if (performance.now() >= sliceEnd) await yieldToOthers();
      else continue;
      sliceEnd = performance.now() + sliceMs;
    }
    await writer.add("\n}");
    await writer.end();
  }
}

/** A buffer for one file after another: allocating a new one would take longer than the read. */
let readBuffer: Uint8Array | undefined;
const readBufferBytes = 1 << 20;

/** Returns the bytes of a file, valid until the next call. Throws `corruptionError`. */
function readWhole(disk: Disk, path: string, length: number): Uint8Array {
  readBuffer ??= new Uint8Array(readBufferBytes);
  const bytes = disk.readPart(path, 0, length, length > readBufferBytes ? undefined : readBuffer);
  requireWhole(path, bytes);
  return bytes;
}

function finished<T extends StoredDocument>(
  path: string,
  header: SegmentHeader | undefined,
  segment: Segment<T>,
): Segment<T> {
  if (header === undefined) throw corruptionError(path, 0, "it has no header");
  if (segment.count !== header.count)
    throw corruptionError(path, 0, `${segment.count} documents instead of ${header.count}`);
  segment.savedSequence = header.sequence;
  return segment;
}

const segmentName = /^(\d{6,})\.json$/;

export function segmentFileName(number: number): string {
  return `${String(number).padStart(6, "0")}.json`;
}

/** Returns the segment numbers in a list of file names. */
export function segmentNumbersIn(names: readonly string[]): number[] {
  return names.map(segmentNumberOfFile).filter((number) => number !== undefined);
}

/** Returns the segment number in a file name; undefined for another file. */
export function segmentNumberOfFile(name: string): number | undefined {
  const match = segmentName.exec(name);
  return match === null ? undefined : Number(match[1]);
}
