import type { FileHandle } from "node:fs/promises";
import { piecesAhead } from "./messages.ts";

/** Bytes that are read from the file at a time. */
const partBytes = 256 << 10;

/** Opens an empty file for pieces; undefined: there is no room for one. */
export type OpenSpool = () => Promise<FileHandle | undefined>;

/**
 * Pieces that wait for their reader, the first few in memory and later ones in a file: a slow client does not keep the thread that
 * makes them.
 */
export class PieceQueue {
  readonly #openSpool: OpenSpool;
  /** Called for each piece when there is room for another one. */
  readonly #onStored: () => void;
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  #file: FileHandle | undefined;
  #hasNoFile = false;
  #written = 0;
  #read = 0;
  #writing: Promise<void> = Promise.resolve();
  #pendingWrites = 0;
  #wake: () => void = () => {};
  #isClosed = false;
  #error: unknown;

  constructor(openSpool: OpenSpool, onStored: () => void) {
    this.#openSpool = openSpool;
    this.#onStored = onStored;
  }

  add(piece: Uint8Array<ArrayBuffer>): void {
    const isInFile = this.#pendingWrites > 0 || this.#read < this.#written;
    if (!isInFile && (this.#hasNoFile || this.#pieces.length < piecesAhead)) {
      this.#pieces.push(piece);
      // Without a file, the thread waits until the client has taken a piece.
      if (!this.#hasNoFile) this.#onStored();
      this.#wake();
      return;
    }
    this.#pendingWrites += 1;
    this.#writing = this.#writing.then(() => this.#write(piece)).catch((error: unknown) => this.fail(error));
  }

  /** No more pieces come. */
  close(): void {
    void this.#writing.then(() => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  /** Breaks the answer off. */
  fail(error: unknown): void {
    this.#error ??= error;
    this.#wake();
  }

  /** undefined at the end. Throws the error that broke the answer off. */
  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    for (;;) {
      if (this.#error !== undefined) throw this.#error;
      const piece = this.#pieces.shift();
      if (piece !== undefined) {
        if (this.#hasNoFile) this.#onStored();
        return piece;
      }
      if (this.#file !== undefined && this.#read < this.#written) return this.#readPart(this.#file);
      if (this.#isClosed) return undefined;
      const woken = Promise.withResolvers<void>();
      this.#wake = woken.resolve;
      await woken.promise;
    }
  }

  /** Removes the file. */
  async dispose(): Promise<void> {
    await this.#writing;
    await this.#file?.close();
    this.#file = undefined;
  }

  async #write(piece: Uint8Array<ArrayBuffer>): Promise<void> {
    if (this.#file === undefined && !this.#hasNoFile) {
      this.#file = await this.#openSpool();
      this.#hasNoFile = this.#file === undefined;
    }
    if (this.#file === undefined) {
      this.#pieces.push(piece);
    } else {
      await this.#file.write(piece, 0, piece.length, this.#written);
      this.#written += piece.length;
      this.#onStored();
    }
    // Only now: until then, a later piece would overtake this one.
    this.#pendingWrites -= 1;
    this.#wake();
  }

  async #readPart(file: FileHandle): Promise<Uint8Array<ArrayBuffer>> {
    const part = new Uint8Array(Math.min(partBytes, this.#written - this.#read));
    const { bytesRead } = await file.read(part, 0, part.length, this.#read);
    if (bytesRead === 0) throw new Error("the file of an answer is cut off");
    this.#read += bytesRead;
    return part.subarray(0, bytesRead);
  }
}
