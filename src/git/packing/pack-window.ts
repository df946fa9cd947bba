import { fstatSync, readSync } from "node:fs";
import { createInflate, inflateSync } from "node:zlib";
import { deflatedBytesMax } from "../objects/limits.ts";
import { PackError } from "./limits.ts";

const windowBytes = 1 << 20;
/** Contents of more bytes are unpacked in pieces. */
const pieceWiseBytes = 1 << 20;
const pieceBytes = 256 << 10;

/** A file, looked up for each reading: that of a pack may be closed and opened again in between. */
export interface OpenFile {
  readonly file: number;
}

/** A file that is read from its beginning to its end, in pieces that overlap as needed. */
export class PackWindow {
  readonly #source: OpenFile;
  readonly size: number;
  #start = 0;
  #memory: Buffer<ArrayBuffer> = Buffer.alloc(0);
  #bytes: Buffer<ArrayBuffer> = Buffer.alloc(0);

  constructor(source: OpenFile) {
    this.#source = source;
    this.size = fstatSync(source.file).size;
  }

  /** At most `length` bytes at an offset, fewer at the end of the file. They are valid until the next call. */
  at(offset: number, length: number): Buffer<ArrayBuffer> {
    const end = Math.min(offset + length, this.size);
    if (offset < this.#start || end > this.#start + this.#bytes.length) {
      this.#start = offset;
      this.#fill(Math.max(length, windowBytes));
    }
    return this.#bytes.subarray(offset - this.#start, end - this.#start);
  }

  /** Reads into the same memory again: a new one for each window would wait for the collector by the hundred. */
  #fill(length: number): void {
    if (this.#memory.length < length) this.#memory = Buffer.allocUnsafeSlow(length);
    const { file } = this.#source;
    let read = 0;
    while (read < length) {
      const more = readSync(file, this.#memory, read, length - read, this.#start + read);
      if (more === 0) break;
      read += more;
    }
    this.#bytes = this.#memory.subarray(0, read);
  }

  /**
   * Unpacks the zlib data at an offset, which must be exactly `size` bytes, and hands them to `take` in one or more pieces. Returns
   * the offset behind the data, at once for small ones. Throws `PackError`.
   */
  inflate(offset: number, size: number, take: (piece: Buffer) => void): Promise<number> | number {
    return size > pieceWiseBytes ? this.#inflateInPieces(offset, size, take) : this.#inflateAtOnce(offset, size, take);
  }

  #inflateAtOnce(offset: number, size: number, take: (piece: Buffer) => void): number {
    const { buffer, engine } = unpacked(this.at(offset, deflatedBytesMax(size)), size);
    if (buffer.length !== size) throw wrongSize();
    take(buffer);
    return offset + engine.bytesWritten;
  }

  async #inflateInPieces(offset: number, size: number, take: (piece: Buffer) => void): Promise<number> {
    const inflate = createInflate({ chunkSize: pieceBytes });
    const ended = Promise.withResolvers<void>();
    let length = 0;
    inflate.on("data", (piece: Buffer) => {
      length += piece.length;
      if (length > size) inflate.destroy(wrongSize());
      else take(piece);
    });
    inflate.on("end", () => ended.resolve());
    inflate.on("error", (error) => ended.reject(error instanceof PackError ? error : damaged()));
    ended.promise.catch(() => undefined);
    let isEnded = false;
    const end = ended.promise.then(() => {
      isEnded = true;
    });
    end.catch(() => undefined);
    for (let at = offset; !isEnded; at += pieceBytes) {
      const piece = Buffer.from(this.at(at, pieceBytes));
      if (piece.length === 0) break;
      if (!inflate.write(piece)) await Promise.race([end, new Promise((resolve) => inflate.once("drain", resolve))]);
    }
    if (!isEnded) inflate.end();
    await end;
    if (length !== size) throw wrongSize();
    return offset + inflate.bytesWritten;
  }
}

function unpacked(
  deflated: Buffer,
  size: number,
): { readonly buffer: Buffer; readonly engine: { bytesWritten: number } } {
  try {
    // The declarations do not know what `info` returns.
    return inflateSync(deflated, { info: true, maxOutputLength: Math.max(1, size) }) as unknown as ReturnType<
      typeof unpacked
    >;
  } catch (error) {
    if (error instanceof RangeError) throw wrongSize();
    throw damaged();
  }
}

function wrongSize(): PackError {
  return new PackError("inflate returned an object of another size");
}

function damaged(): PackError {
  return new PackError("pack has bad compressed data");
}
