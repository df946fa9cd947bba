import type { Adapter } from "lowdb";
import { yieldToOthers } from "../../lib/yield.ts";
import { damaged } from "../corruption.ts";
import type { Disk, DiskFile } from "../disk.ts";
import type { StoredDocument } from "../indexes/index.ts";
import { CheckedWriter, checkedLines, replaceFileLater, requireWhole } from "./checked-json.ts";
import { forEachLine } from "./lines.ts";
import { Segment, segmentNumberOf } from "./segment.ts";

/** Written into every segment; another one is refused. */
export const segmentFormat = 1;
/** Larger files are read in parts. */
const wholeBytesMax = 64 << 20;
/** No longer than this is a segment turned into text before other work gets its turn. */
const sliceMs = 1.5;

interface SegmentHeader {
  readonly checksum: string;
  readonly format: number;
  readonly collection: string;
  readonly segment: number;
  readonly count: number;
  /** Every change up to this transaction is in here. */
  readonly sequence: number;
}

/** The journal as the writer of segments sees it. */
export interface SegmentWriterOptions {
  readonly disk: Disk;
  /** Number of the last transaction that changed memory. */
  readonly lastSequence: () => number;
  /** Resolves once the journal holds everything that memory holds now. */
  readonly settled: () => Promise<void> | undefined;
  /** For a check: memory holds what a start would write. */
  readonly isReadOnly?: true;
  /** Of a sandbox: the segments of logs stay in memory, so that a restore can take entries back. */
  readonly keepsLogsOpen?: boolean;
}

/**
 * lowdb's adapter for one segment. The file is one JSON object, one document a line:
 * `{"outpost":{"checksum":…},"docs":{"1":{…},"2":{…}}}`; any lowdb reads it, and so does a person.
 * A write goes to a temporary file that is synced, waits until the journal is durable up to what it holds (log
 * before data), and only then takes the old file's place; the folder is synced last.
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

  /** Throws `damaged` for anything that was not written by `write` whole. */
  async read(): Promise<Segment<T>> {
    const { disk } = this.#options;
    const path = `${this.#folder}/${segmentFileName(this.#number)}`;
    const segment = new Segment<T>(this.#collection, this.#number);
    let header: SegmentHeader | undefined;
    // Line by line: half again as fast as one object with a thousand numbers for keys.
    const take = (line: string) => {
      if (header === undefined) header = this.#readHeader(path, line);
      else if (line.startsWith('"')) this.#readDocument(path, line, segment);
    };
    const length = disk.sizeOf(path);
    if (length <= wholeBytesMax) forEachLine(readWhole(disk, path, length), take);
    // A segment of long texts would be too long for one text.
    else for await (const lines of checkedLines(disk, path)) forEachLine(lines, take);
    return finished(path, header, segment);
  }

  #readHeader(path: string, line: string): SegmentHeader {
    const { outpost } = JSON.parse(`${line}}}`) as { outpost: SegmentHeader };
    if (outpost.format !== segmentFormat) throw damaged(path, 0, `segment format ${outpost.format}`);
    if (outpost.collection !== this.#collection || outpost.segment !== this.#number) {
      throw damaged(path, 0, `it is segment ${outpost.segment} of ${outpost.collection}`);
    }
    return outpost;
  }

  #readDocument(path: string, line: string, segment: Segment<T>): void {
    const documentStart = line.indexOf(":") + 1;
    const document = JSON.parse(line.slice(documentStart, line.endsWith(",") ? -1 : undefined)) as T;
    if (segmentNumberOf(document.id) !== this.#number)
      throw damaged(path, 0, `document ${document.id} is not of this segment`);
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
      // Documents are immutable: the list is the segment as it is at this moment.
      const documents = [...segment];
      const write = (file: DiskFile) => this.#writeDocuments(file, documents, sequence);
      await replaceFileLater(disk, this.#folder, name, write, settled);
    }
    segment.savedSequence = sequence;
  }

  /** Writes in pieces and yields in between: a segment of long texts has gigabytes. */
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

/** Memory for one file after the other: to take new memory for each would take longer than to read it. */
let readBuffer: Uint8Array | undefined;
const readBufferBytes = 1 << 20;

/** The bytes of a file, until another one is read. Throws `damaged`. */
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
  if (header === undefined) throw damaged(path, 0, "it has no header");
  if (segment.count !== header.count)
    throw damaged(path, 0, `${segment.count} documents where ${header.count} are stated`);
  segment.savedSequence = header.sequence;
  return segment;
}

const segmentName = /^(\d{6,})\.json$/;

export function segmentFileName(number: number): string {
  return `${String(number).padStart(6, "0")}.json`;
}

/** The numbers of the segments among files. */
export function segmentNumbersIn(names: readonly string[]): number[] {
  return names.map(segmentNumberOfFile).filter((number) => number !== undefined);
}

/** The segment's number, or undefined for a file that is none. */
export function segmentNumberOfFile(name: string): number | undefined {
  const match = segmentName.exec(name);
  return match === null ? undefined : Number(match[1]);
}
