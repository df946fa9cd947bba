import { type FileHandle, open } from "node:fs/promises";
import { pipeline, type Readable } from "node:stream";
import { createInflate } from "node:zlib";
import { streamOf } from "../../lib/byte-pieces.ts";
import { ifThere } from "../durable.ts";

/** Compressed and unpacked bytes that are read at a time. */
const compressedBytes = 65_536;
const pieceBytes = 262_144;

/** The content of a loose blob in pieces: however large it is, few of its bytes are in memory. */
export class BlobStream {
  readonly #unpacked: Readable;
  readonly #pieces: AsyncIterator<Uint8Array<ArrayBuffer>>;

  private constructor(file: FileHandle) {
    const inflate = createInflate({ chunkSize: pieceBytes });
    // An error of the file, or of what it holds, is an error of the stream that is read.
    pipeline(file.createReadStream({ highWaterMark: compressedBytes }), inflate, () => undefined);
    this.#unpacked = inflate;
    this.#pieces = withoutHeader(inflate);
  }

  /** Opens the file of a loose object: it may be removed from then on. undefined when there is none. */
  static async open(path: string): Promise<BlobStream | undefined> {
    const file = await ifThere(open(path));
    return file === undefined ? undefined : new BlobStream(file);
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

/** The bytes after the header `blob 123\0`. */
async function* withoutHeader(unpacked: Readable): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let isBehind = false;
  for await (const piece of unpacked as AsyncIterable<Buffer<ArrayBuffer>>) {
    const start: number = isBehind ? 0 : piece.indexOf(0) + 1;
    isBehind ||= start > 0;
    if (isBehind && start < piece.length) yield piece.subarray(start);
  }
}
