import type { Adapter } from "lowdb";
import { damaged } from "../corruption.ts";
import type { Disk } from "../disk.ts";
import type { StoredDocument } from "../indexes/index.ts";
import { checkedText, encodeChecked, replaceFileLater } from "./checked-json.ts";
import { Segment, segmentNumberOf } from "./segment.ts";

/** Written into every segment; another one is refused. */
export const segmentFormat = 1;
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

/** What the writer has to ask of the journal. */
export interface SegmentWriterOptions {
  readonly disk: Disk;
  /** Number of the last transaction that changed memory. */
  readonly lastSequence: () => number;
  /** Resolves once the journal holds everything that memory holds now. */
  readonly settled: () => Promise<void> | undefined;
  /** A check: what a start would write is kept in memory. */
  readonly isReadOnly?: true;
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
    const path = `${this.#folder}/${segmentFileName(this.#number)}`;
    const text = checkedText(path, this.#options.disk.read(path));
    const headerEnd = text.indexOf("\n");
    const { outpost } = JSON.parse(`${text.slice(0, headerEnd)}}}`) as { outpost: SegmentHeader };
    if (outpost.format !== segmentFormat) throw damaged(path, 0, `segment format ${outpost.format}`);
    if (outpost.collection !== this.#collection || outpost.segment !== this.#number) {
      throw damaged(path, 0, `it is segment ${outpost.segment} of ${outpost.collection}`);
    }
    const segment = new Segment<T>(this.#collection, this.#number);
    segment.savedSequence = outpost.sequence;
    for (const document of documentsIn<T>(text, headerEnd + 1)) {
      if (segmentNumberOf(document.id) !== this.#number)
        throw damaged(path, 0, `document ${document.id} is not of this segment`);
      segment.set(document.id, document);
    }
    if (segment.count !== outpost.count)
      throw damaged(path, 0, `${segment.count} documents where ${outpost.count} are stated`);
    return segment;
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
      await replaceFileLater(disk, this.#folder, name, await this.#encode(segment, sequence), settled);
    }
    segment.savedSequence = sequence;
  }

  /** Documents are immutable, so a segment may change between two slices: each line is one state of one document. */
  async #encode(segment: Segment<T>, sequence: number): Promise<Uint8Array> {
    const lines: string[] = [];
    let sliceEnd = performance.now() + sliceMs;
    for (const document of segment) {
      lines.push(`"${document.id}":${JSON.stringify(document)}`);
      if (performance.now() < sliceEnd) continue;
      await new Promise(setImmediate);
      sliceEnd = performance.now() + sliceMs;
    }
    const count = lines.length;
    const header = `"format":${segmentFormat},"collection":"${this.#collection}","segment":${this.#number},"count":${count},"sequence":${sequence}`;
    return encodeChecked(header, `"docs":{\n${lines.join(",\n")}\n}`);
  }
}

/** Line by line: half again as fast as one object with a thousand numbers for keys. */
function* documentsIn<T>(text: string, bodyStart: number): Generator<T> {
  let start = bodyStart;
  while (text.startsWith('"', start)) {
    const end = text.indexOf("\n", start);
    const documentStart = text.indexOf(":", start) + 1;
    yield JSON.parse(text.slice(documentStart, text[end - 1] === "," ? end - 1 : end)) as T;
    start = end + 1;
  }
}

const segmentName = /^(\d{6,})\.json$/;

export function segmentFileName(number: number): string {
  return `${String(number).padStart(6, "0")}.json`;
}

/** The segment's number, or undefined for a file that is none. */
export function segmentNumberOfFile(name: string): number | undefined {
  const match = segmentName.exec(name);
  return match === null ? undefined : Number(match[1]);
}
