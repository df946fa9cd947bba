/** Applies deltas whose base, result or instructions are in a file: few of their bytes are in memory. */

import { type DeltaHeader, deltaHeader } from "../objects/delta.ts";
import { PackError } from "./limits.ts";
import { type Content, type Scratch, ScratchContent } from "./scratch.ts";

const blockBytes = 1 << 20;
const blocksMax = 16;
const headerBytes = 20;
/** A copy has seven bytes behind its first one; an insertion has up to 127. */
const instructionBytesMax = 128;

/** undefined for bytes that are no delta. */
export function deltaHeaderOf(delta: Content): DeltaHeader | undefined {
  return deltaHeader(delta instanceof ScratchContent ? delta.read(0, headerBytes) : delta);
}

/** Throws `PackError` for a delta that does not fit its base or itself. */
export function applyToFile(base: Content, delta: Content, scratch: Scratch): ScratchContent {
  const header = deltaHeaderOf(delta);
  if (header === undefined || header.baseBytes !== base.length) throw misfit();
  const source = new Blocks(base);
  const result = scratch.begin();
  let written = 0;
  for (const piece of instructionsOf(delta, header.start)) {
    if (piece.length === 0 || written + piece.length > header.resultBytes) throw misfit();
    written += piece.length;
    if (!("from" in piece)) result.add(piece);
    else if (piece.from + piece.length > base.length) throw misfit();
    else source.copy(piece.from, piece.length, (bytes) => result.add(bytes));
  }
  if (written !== header.resultBytes) throw misfit();
  return result.finish();
}

/** Bytes to insert, or a part of the base to copy. */
type Instruction = Uint8Array | { readonly from: number; readonly length: number };

function* instructionsOf(delta: Content, start: number): Generator<Instruction> {
  const blocks = new Blocks(delta);
  for (let at = start; at < delta.length; ) {
    const window = blocks.window(at, instructionBytesMax);
    const first = window[0] as number;
    if (first < 0x80) {
      if (first >= window.length) throw misfit();
      yield window.subarray(1, 1 + first);
      at += 1 + first;
      continue;
    }
    let [from, length, used] = [0, 0, 1];
    for (let bit = 0; bit < 7; bit += 1) {
      if ((first & (1 << bit)) === 0) continue;
      const byte = window[used];
      if (byte === undefined) throw misfit();
      used += 1;
      if (bit < 4) from += byte * 2 ** (8 * bit);
      else length += byte * 2 ** (8 * (bit - 4));
    }
    yield { from, length: length || 0x1_00_00 };
    at += used;
  }
}

/** The blocks of a content that were read last. */
class Blocks {
  readonly #content: Content;
  readonly #blocks = new Map<number, Buffer>();

  constructor(content: Content) {
    this.#content = content;
  }

  /** At most `length` bytes at an offset, fewer at the end. */
  window(at: number, length: number): Buffer {
    if (!(this.#content instanceof ScratchContent)) return this.#content.subarray(at, at + length);
    const block = this.#block(Math.floor(at / blockBytes));
    const part = block.subarray(at % blockBytes, (at % blockBytes) + length);
    if (part.length === length || at + part.length >= this.#content.length) return part;
    return this.#content.read(at, length);
  }

  copy(from: number, length: number, take: (bytes: Buffer) => void): void {
    if (!(this.#content instanceof ScratchContent)) {
      take(this.#content.subarray(from, from + length));
      return;
    }
    for (let at = from; at < from + length; ) {
      const start = at % blockBytes;
      const part = this.#block(Math.floor(at / blockBytes)).subarray(start, start + from + length - at);
      take(part);
      at += part.length;
    }
  }

  #block(number: number): Buffer {
    const found = this.#blocks.get(number);
    if (found !== undefined) return found;
    const block = (this.#content as ScratchContent).read(number * blockBytes, blockBytes);
    if (block.length === 0) throw new Error("a file of large objects is cut off");
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size >= blocksMax && oldest !== undefined) this.#blocks.delete(oldest);
    this.#blocks.set(number, block);
    return block;
  }
}

function misfit(): PackError {
  return new PackError("failed to apply delta");
}
