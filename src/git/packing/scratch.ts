/** Contents that are too large, or too many, to be held in memory while a pack is made or checked. */

import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { readBytes } from "./object-store.ts";

const pieceBytes = 1 << 20;

/** A content in the file. */
export class ScratchContent {
  readonly scratch: Scratch;
  readonly start: number;
  readonly length: number;

  constructor(scratch: Scratch, start: number, length: number) {
    this.scratch = scratch;
    this.start = start;
    this.length = length;
  }

  /** At most so many bytes, fewer at the end. */
  read(from: number, bytes: number): Buffer {
    return this.scratch.read(this, from, bytes);
  }
}

/** The content of an object, in memory or in a file. */
export type Content = Buffer | ScratchContent;

/** One file with many contents; it is made when the first one comes. */
export class Scratch {
  readonly #path: string;
  #file: number | undefined;
  #end = 0;
  readonly #live = new Set<ScratchContent>();
  #bytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Bytes of all contents that are there. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Writes a content piece by piece: one at a time. Call `finish` at its end. */
  begin(): ScratchWriter {
    this.#file ??= openSync(this.#path, "w+", 0o600);
    const start = this.#end;
    const file = this.#file;
    return new ScratchWriter(file, start, (length) => {
      const content = new ScratchContent(this, start, length);
      this.#live.add(content);
      this.#bytes += length;
      this.#end = start + length;
      return content;
    });
  }

  read({ start, length }: ScratchContent, from: number, bytes: number): Buffer {
    return readBytes(this.#file as number, start + from, Math.min(bytes, length - from));
  }

  free(content: ScratchContent): void {
    if (!this.#live.delete(content)) return;
    this.#bytes -= content.length;
    // The last one to come is the first one to go, mostly.
    this.#end = 0;
    for (const { start, length } of this.#live) this.#end = Math.max(this.#end, start + length);
  }

  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
    rmSync(this.#path, { force: true });
  }
}

/** Gathers small pieces, so that few calls write them. */
export class ScratchWriter {
  readonly #file: number;
  readonly #start: number;
  readonly #onFinish: (length: number) => ScratchContent;
  #gathered = Buffer.allocUnsafeSlow(pieceBytes);
  #used = 0;
  #written = 0;

  constructor(file: number, start: number, onFinish: (length: number) => ScratchContent) {
    this.#file = file;
    this.#start = start;
    this.#onFinish = onFinish;
  }

  add(piece: Uint8Array): void {
    if (this.#used + piece.length > pieceBytes) this.#flush();
    if (piece.length >= pieceBytes) this.#write(piece);
    else {
      this.#gathered.set(piece, this.#used);
      this.#used += piece.length;
    }
  }

  finish(): ScratchContent {
    this.#flush();
    return this.#onFinish(this.#written);
  }

  #flush(): void {
    this.#write(this.#gathered.subarray(0, this.#used));
    this.#used = 0;
  }

  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const more = writeSync(this.#file, bytes, at, bytes.length - at, this.#start + this.#written);
      at += more;
      this.#written += more;
    }
  }
}

/** A content in pieces, each valid for as long as it is referred to. */
export function* piecesOf(content: Content): Generator<Buffer> {
  if (!(content instanceof ScratchContent)) yield content;
  else for (let at = 0; at < content.length; at += pieceBytes) yield content.read(at, pieceBytes);
}

export function freeContent(content: Content | undefined): void {
  if (content instanceof ScratchContent) content.scratch.free(content);
}
