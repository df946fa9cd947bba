import { type FileHandle, open } from "node:fs/promises";
import { pipeline, type Readable } from "node:stream";
import { createInflate } from "node:zlib";
import { streamOf } from "../../lib/byte-pieces.ts";
import { ifThere } from "../durable.ts";

/** Compressed and unpacked bytes that are read at a time. */
const compressedBytes = 65_536;
const pieceBytes = 262_144;

/** The place of an object in a file. */
export interface StreamPlace {
  /** Offset of the compressed bytes in the file. */
  readonly start: number;
  /** Unpacked bytes before the content. */
  readonly contentStart: number;
  /** Bytes of the content. */
  readonly size: number;
}

/** The content of a blob in pieces: however large it is, few of its bytes are in memory. */
export class BlobStream {
  readonly #unpacked: Readable;
  readonly #pieces: AsyncIterator<Uint8Array<ArrayBuffer>>;

  private constructor(file: FileHandle, place: StreamPlace) {
    const inflate = createInflate({ chunkSize: pieceBytes });
    const compressed = file.createReadStream({ start: place.start, highWaterMark: compressedBytes });
    // An error of the file, or of what it holds, is an error of the stream that is read.
    pipeline(compressed, inflate, () => undefined);
    this.#unpacked = inflate;
    this.#pieces = contentOf(inflate, place);
  }

  /** Opens the file: it may be removed from then on. undefined when there is none. */
  static async open(path: string, place: StreamPlace): Promise<BlobStream | undefined> {
    const file = await ifThere(open(path));
    return file === undefined ? undefined : new BlobStream(file, place);
  }

  /** undefined at the end. Throws when the file is damaged. */
  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { value, done } = await this.#pieces.next();
    return done === true ? undefined : value;
  }

  /** The pieces, after those that were read already. */
  toStream(...before: readonly Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array<ArrayBuffer>> {
    const first = [...before];
    return streamOf(
      async () => first.shift() ?? this.next(),
      () => this.close(),
    );
  }

  /** Closes the file before the end is reached. */
  close(): void {
    this.#unpacked.destroy();
  }
}

/** Throws when there are more or fewer bytes than the object says: a client is told the size first. */
async function* contentOf(unpacked: Readable, place: StreamPlace): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let before = place.contentStart;
  let left = place.size;
  for await (const piece of unpacked as AsyncIterable<Buffer<ArrayBuffer>>) {
    const content = piece.subarray(Math.min(before, piece.length));
    before -= piece.length - content.length;
    left -= content.length;
    if (left < 0) break;
    if (content.length > 0) yield content;
  }
  if (left !== 0) throw new Error("a file of a repository has another size than it says");
}
