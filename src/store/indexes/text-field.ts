import { asBitmap, type IdSet } from "../id-set.ts";
import { Postings } from "../postings.ts";

/** Ids of one block: what is found in it fits the 32 bits of a number. */
export const blockLength = 32;
const blockBits = 5;
/** Ends each text: no byte of UTF-8, so nothing is found across two texts. */
const separator = 0xff;
/** Bytes of the pieces that the postings know. */
const pieceLength = 3;
const empty = Buffer.alloc(0);
const noBlocks: ReadonlySet<number> = new Set();

/** The texts of 32 neighbouring ids, one behind the other. */
interface Block {
  readonly bytes: Buffer;
  /** Where the text of each id begins; the 33rd is the end. Two bytes each while they suffice. */
  readonly starts: Uint16Array | Uint32Array;
}

/** The form in which texts are kept and looked for: lower case, UTF-8. */
export function normalise(text: string): Buffer {
  return Buffer.from(text.toLowerCase());
}

export function blockOf(id: number): number {
  return id >>> blockBits;
}

/**
 * One text of each document, kept in blocks of 32 ids, and for each three neighbouring bytes the blocks that have
 * them. Postings by block take a tenth of what postings by document would, and what they leave over is searched by
 * the runtime at several bytes a nanosecond.
 */
export class TextField {
  readonly #blocks: (Block | undefined)[] = [];
  readonly #postings = new Map<number, Postings>();

  /** Fills a block that is empty; a place without a document has undefined. */
  fillBlock(block: number, texts: readonly (Buffer | undefined)[]): void {
    this.#put(block, texts);
    for (const piece of distinctPieces((this.#blocks[block] as Block).bytes)) this.#postingsOf(piece).add(block);
  }

  /** undefined takes the document out. */
  set(id: number, text: Buffer | undefined): void {
    const block = blockOf(id);
    const texts = Array.from({ length: blockLength }, (_, place) => this.#textOf(block, place));
    const place = id % blockLength;
    const before = texts[place] ?? empty;
    texts[place] = text;
    this.#put(block, texts);
    const { bytes } = this.#blocks[block] as Block;
    const pieces = new Set(piecesOf(text ?? empty));
    for (const piece of pieces) this.#postingsOf(piece).add(block);
    for (const piece of new Set(piecesOf(before))) {
      if (!pieces.has(piece) && !bytes.includes(bytesOf(piece))) this.#remove(piece, block);
    }
  }

  /** Blocks that may hold the word; undefined when the word is too short to rule any out. */
  blocksWith(word: Buffer): IdSet | undefined {
    if (word.length < pieceLength) return undefined;
    const postings: Postings[] = [];
    for (const piece of new Set(piecesOf(word))) {
      const found = this.#postings.get(piece);
      if (found === undefined) return noBlocks;
      postings.push(found);
    }
    const [smallest, ...others] = postings.sort((a, b) => a.size - b.size) as [Postings, ...Postings[]];
    if (others.length === 0) return smallest;
    if (smallest.bits === undefined)
      return new Set([...smallest].filter((block) => others.every((each) => each.has(block))));
    return others.map(asBitmap).reduce((bits, each) => bits.and(each), smallest.bits);
  }

  /** Which ids of the block, among those of the bits `within`, have the word: a bit each. */
  hits(block: number, word: Buffer, within: number): number {
    const found = this.#blocks[block];
    if (found === undefined) return 0;
    const { bytes, starts } = found;
    let hits = 0;
    let left = within;
    while (left !== 0) {
      let place = lowestBit(left);
      const at = bytes.indexOf(word, starts[place]);
      if (at < 0) break;
      while ((starts[place + 1] as number) <= at) place += 1;
      hits |= 1 << place;
      left = place === blockLength - 1 ? 0 : left & (-2 << place);
    }
    return hits & within;
  }

  #textOf(block: number, place: number): Buffer | undefined {
    const found = this.#blocks[block];
    if (found === undefined) return undefined;
    return found.bytes.subarray(found.starts[place], (found.starts[place + 1] as number) - 1);
  }

  #put(block: number, texts: readonly (Buffer | undefined)[]): void {
    let length = 0;
    for (const text of texts) length += (text?.length ?? 0) + 1;
    const bytes = Buffer.alloc(length, separator);
    const starts = length > 0xffff ? new Uint32Array(blockLength + 1) : new Uint16Array(blockLength + 1);
    let end = 0;
    for (let place = 0; place < blockLength; place += 1) {
      const text = texts[place] ?? empty;
      starts[place] = end;
      bytes.set(text, end);
      end += text.length + 1;
    }
    starts[blockLength] = end;
    // Filled without holes, so that the array stays a dense one.
    while (this.#blocks.length < block) this.#blocks.push(undefined);
    this.#blocks[block] = { bytes, starts };
  }

  #postingsOf(piece: number): Postings {
    let postings = this.#postings.get(piece);
    if (postings === undefined) {
      postings = new Postings();
      this.#postings.set(piece, postings);
    }
    return postings;
  }

  #remove(piece: number, block: number): void {
    const postings = this.#postings.get(piece);
    postings?.delete(block);
    if (postings?.size === 0) this.#postings.delete(piece);
  }
}

export function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

/** Three neighbouring bytes as a number of 24 bits, from every place; none across a separator. */
function piecesOf(bytes: Buffer): number[] {
  const pieces: number[] = [];
  let piece = 0;
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    length = byte === separator ? 0 : length + 1;
    piece = ((piece << 8) | byte) & 0xffffff;
    if (length >= pieceLength) pieces.push(piece);
  }
  return pieces;
}

function bytesOf(piece: number): Buffer {
  return Buffer.from([piece >>> 16, (piece >>> 8) & 0xff, piece & 0xff]);
}

/** A bit for each piece there can be, all of them down between two calls: a fifth of the time of a `Set`. */
const seen = new Uint32Array(2 ** 19);

function distinctPieces(bytes: Buffer): number[] {
  const distinct: number[] = [];
  for (const piece of piecesOf(bytes)) {
    const word = seen[piece >>> 5] as number;
    const bit = 1 << (piece & 31);
    if ((word & bit) !== 0) continue;
    seen[piece >>> 5] = word | bit;
    distinct.push(piece);
  }
  for (const piece of distinct) seen[piece >>> 5] = 0;
  return distinct;
}
