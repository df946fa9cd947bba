/** Smaller pieces are joined. Otherwise a body in pieces of one byte would take a hundred times its size. */
const pieceBytesMin = 4096;
const blockBytes = 64 * 1024;

/** The share of the declared length that must arrive before memory for all of it is reserved. */
const shareBeforeWhole = 1 / 4;

/**
 * Collects the pieces of a body. A body of declared length goes into one buffer as it arrives, without a copy at the end.
 */
export class GatheredBytes {
  /** The buffer for the whole body, once it exists. */
  #whole: Uint8Array | undefined;
  readonly #parts: Uint8Array[] = [];
  #block = new Uint8Array(0);
  #used = 0;
  #size = 0;
  #declared: number;

  /** @param declared the number of bytes that will come; 0 when unknown */
  constructor(declared = 0) {
    this.#declared = declared;
  }

  get size(): number {
    return this.#size;
  }

  add(piece: Uint8Array): void {
    const start = this.#size;
    this.#size += piece.length;
    if (this.#size > this.#declared) this.#distrust(start);
    if (this.#whole === undefined) this.#addPart(piece);
    else this.#whole.set(piece, start);
    if (this.#whole === undefined && this.#size >= this.#declared * shareBeforeWhole) this.#takeWhole();
  }

  /** Stops using the declared length, since more bytes came. */
  #distrust(size: number): void {
    if (this.#whole !== undefined) this.#parts.push(this.#whole.subarray(0, size));
    this.#whole = undefined;
    this.#declared = 0;
  }

  #takeWhole(): void {
    if (this.#declared === 0) return;
    this.#endBlock();
    const whole = Buffer.allocUnsafeSlow(this.#declared);
    let at = 0;
    for (const part of this.#parts.splice(0)) {
      whole.set(part, at);
      at += part.length;
    }
    this.#whole = whole;
  }

  #addPart(piece: Uint8Array): void {
    if (piece.length >= pieceBytesMin) {
      this.#endBlock();
      this.#parts.push(piece);
      return;
    }
    if (this.#used + piece.length > this.#block.length) {
      this.#endBlock();
      this.#block = new Uint8Array(blockBytes);
    }
    this.#block.set(piece, this.#used);
    this.#used += piece.length;
  }

  /** Returns all bytes in one piece. */
  bytes(): Uint8Array {
    if (this.#whole !== undefined) return this.#whole.subarray(0, this.#size);
    this.#endBlock();
    return Buffer.concat(this.#parts, this.#size);
  }

  drop(): void {
    this.#whole = undefined;
    this.#parts.length = 0;
    this.#block = new Uint8Array(0);
    this.#used = 0;
    this.#size = 0;
  }

  #endBlock(): void {
    if (this.#used > 0) this.#parts.push(this.#block.subarray(0, this.#used));
    this.#block = this.#block.subarray(this.#used);
    this.#used = 0;
  }
}
