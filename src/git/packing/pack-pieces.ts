/** Bytes of a pack, gathered in large pieces, and in lines of a side band where the client knows them. */

import { bandHeadBytes, writeBandHead } from "../transport/pkt-line.ts";

/** Bytes of a piece, about. */
const pieceBytesMax = 256 << 10;

/** Each piece has memory of its own, which may go to another thread, and ends with a line. */
export class PackPieces {
  readonly #headBytes: number;
  readonly #lineBytes: number;
  readonly #pieceBytes: number;
  readonly #full: Uint8Array<ArrayBuffer>[] = [];
  #piece: Buffer<ArrayBuffer>;
  #lineStart = 0;
  #end: number;

  /** `bandBytesMax`: bytes of a pack in one line; 0: there are no lines. */
  constructor(bandBytesMax = 0) {
    this.#headBytes = bandBytesMax === 0 ? 0 : bandHeadBytes;
    this.#lineBytes = bandBytesMax === 0 ? pieceBytesMax : bandHeadBytes + bandBytesMax;
    this.#pieceBytes = Math.floor(pieceBytesMax / this.#lineBytes) * this.#lineBytes;
    this.#piece = Buffer.allocUnsafeSlow(this.#pieceBytes);
    this.#end = this.#headBytes;
  }

  /** Copies bytes. */
  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + this.#lineStart + this.#lineBytes - this.#end);
      this.#piece.set(part, this.#end);
      this.#end += part.length;
      at += part.length;
      if (this.#end === this.#lineStart + this.#lineBytes) this.#endLine();
    }
  }

  /** A piece that is full, once. */
  take(): Uint8Array<ArrayBuffer> | undefined {
    return this.#full.shift();
  }

  /** The bytes that fill no piece. */
  rest(): Uint8Array<ArrayBuffer> {
    if (this.#end > this.#lineStart + this.#headBytes) this.#writeHead();
    else this.#end = this.#lineStart;
    return this.#piece.subarray(0, this.#end);
  }

  #endLine(): void {
    this.#writeHead();
    this.#lineStart = this.#end;
    if (this.#lineStart === this.#pieceBytes) {
      this.#full.push(this.#piece);
      this.#piece = Buffer.allocUnsafeSlow(this.#pieceBytes);
      this.#lineStart = 0;
    }
    this.#end = this.#lineStart + this.#headBytes;
  }

  #writeHead(): void {
    if (this.#headBytes > 0) writeBandHead(this.#piece, this.#lineStart, this.#end - this.#lineStart);
  }
}
