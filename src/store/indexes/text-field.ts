import { scanBytes, type TextScans } from "../../domain/text-scans.ts";
import { currentScans, spend } from "../../domain/work-budget.ts";
import { asBitmap, type IdSet } from "../query/id-set.ts";
import { Postings } from "../query/postings.ts";
import { classesOf, classOf, pieceLength, piecesOf } from "./text-pieces.ts";

/** The number of ids in a block, so that the hits of a block fit 32 bits. */
export const blockLength = 32;
const blockBits = 5;
/** Separates texts. No UTF-8 text has this byte, so no match spans two texts. */
const separator = 0xff;
/** Longer texts are stored beside their block, so that a change of a neighbour does not copy them. */
const inlineBytesMax = 4_096;
/** Bytes of removed texts in a block before its postings are cleaned. */
const staleBytesMin = 4_096;
/** The fixed cost of a block, as a number of searched bytes. */
const blockBytes = 32;
const empty: Buffer = Buffer.alloc(0);
const emptyBlock = blockFrom(Array.from({ length: blockLength }, () => undefined));
const noBlocks: ReadonlySet<number> = new Set();

/** The concatenated texts of 32 neighbouring ids. */
interface Block {
  readonly bytes: Buffer;
  /** The offset of each id's text; the 33rd is the end. Two bytes each when that suffices. */
  readonly starts: Uint16Array | Uint32Array;
  /** Long texts by their position in the block. They are left out of `bytes`. */
  readonly long: ReadonlyMap<number, Buffer> | undefined;
}

/** Classes of texts that were removed from a block and are still in its postings. */
interface Stale {
  bytes: number;
  readonly classes: Set<number>;
}

/** A search word. */
export interface Word {
  readonly bytes: Buffer;
  /** Identifies the search for the word within one request. */
  readonly key: string;
}

/** The result so far of the search for a word in a block. */
interface BlockResult {
  /** The ids that were searched, one bit each. */
  asked: number;
  /** The searched ids that contain the word. */
  hits: number;
  /** The long text whose search was paused, and the number of its bytes that were searched without a match. */
  place: number;
  searched: number;
}

const noResult = (): BlockResult => ({ asked: 0, hits: 0, place: -1, searched: 0 });

/** Returns the form in which texts are stored and searched: lower case, UTF-8. */
export function normalise(text: string): Buffer {
  return Buffer.from(text.toLowerCase());
}

export function blockOf(id: number): number {
  return id >>> blockBits;
}

/**
 * One text field of all documents, in blocks of 32 ids, with postings from each class of three neighbouring bytes to the
 * blocks that contain it. Postings by block are a tenth of the size of postings by document; the runtime then searches the
 * found blocks at several bytes per nanosecond. Postings may name a block too many: those of removed texts are dropped once
 * they are as long as the texts that the block holds.
 */
export class TextField {
  readonly #blocks: (Block | undefined)[] = [];
  readonly #stale = new Map<number, Stale>();
  readonly #postings = new Map<number, Postings>();

  /** Fills an empty block. undefined stands for an id without a document. */
  fillBlock(block: number, texts: readonly (Buffer | undefined)[]): void {
    const filled = blockFrom(texts);
    this.#put(block, filled);
    for (const each of classesOf(textsOf(filled))) this.#postingsOf(each).add(block);
  }

  /** Sets the text of an id; undefined removes it. */
  set(id: number, text: Buffer | undefined): void {
    const block = blockOf(id);
    const found = this.#blocks[block];
    const place = id % blockLength;
    const before = found === undefined ? empty : textAt(found, place);
    this.#put(block, withText(found, place, text));
    if (text !== undefined) for (const each of classesOf([text])) this.#postingsOf(each).add(block);
    this.#noteStale(block, before);
  }

  /** Returns the blocks that may contain the word; undefined when the word is too short to exclude any. */
  blocksWith(word: Buffer): IdSet | undefined {
    if (word.length < pieceLength) return undefined;
    const postings: Postings[] = [];
    for (const each of new Set(piecesOf(word).map(classOf))) {
      const found = this.#postings.get(each);
      if (found === undefined) return noBlocks;
      postings.push(found);
    }
    const [smallest, ...others] = postings.sort((a, b) => a.size - b.size) as [Postings, ...Postings[]];
    if (others.length === 0) return smallest;
    if (smallest.bits === undefined) {
      spend(smallest.size * others.length);
      return new Set([...smallest].filter((block) => others.every((each) => each.has(block))));
    }
    return others.map(asBitmap).reduce((bits, each) => bits.and(each), smallest.bits);
  }

  /**
   * Returns the ids of the block that contain the word, one bit each, searching only those in `within`. Throws `WorkPaused`;
   * the next call continues.
   */
  hits(block: number, word: Word, within: number): number {
    const found = this.#blocks[block];
    if (found === undefined) return 0;
    // A block is never changed, so its result stays valid as long as the block exists.
    const scans = currentScans();
    const result = scans?.resultOf(word.key, found, noResult) ?? noResult();
    const left = within & ~result.asked;
    if (left !== 0) searchBlock(found, word.bytes, left, result, scans);
    return result.hits & within;
  }

  #put(block: number, filled: Block): void {
    // Fills the array without holes, so that it stays dense.
    while (this.#blocks.length < block) this.#blocks.push(undefined);
    this.#blocks[block] = filled;
  }

  #postingsOf(key: number): Postings {
    let postings = this.#postings.get(key);
    if (postings === undefined) {
      postings = new Postings();
      this.#postings.set(key, postings);
    }
    return postings;
  }

  /**
   * Cleans the postings of a block once as many bytes were removed as it holds, so that each written byte is read at most
   * twice.
   */
  #noteStale(block: number, removed: Buffer): void {
    if (removed.length === 0) return;
    const stale = this.#stale.get(block) ?? { bytes: 0, classes: new Set() };
    this.#stale.set(block, stale);
    stale.bytes += removed.length;
    for (const each of classesOf([removed])) stale.classes.add(each);
    const texts = textsOf(this.#blocks[block] as Block);
    const held = texts.reduce((sum, text) => sum + text.length, 0);
    if (stale.bytes < Math.max(held, staleBytesMin)) return;
    this.#stale.delete(block);
    for (const each of classesOf(texts)) stale.classes.delete(each);
    for (const each of stale.classes) this.#remove(each, block);
  }

  #remove(key: number, block: number): void {
    const postings = this.#postings.get(key);
    postings?.delete(block);
    if (postings?.size === 0) this.#postings.delete(key);
  }
}

/** Adds the hits among the ids in `within` to a result. */
function searchBlock(
  { bytes, starts, long }: Block,
  word: Buffer,
  within: number,
  result: BlockResult,
  scans: TextScans | undefined,
): void {
  scans?.scan(blockBytes + bytes.length);
  let left = within;
  while (left !== 0) {
    let place = lowestBit(left);
    const at = bytes.indexOf(word, starts[place]);
    if (at < 0) break;
    while ((starts[place + 1] as number) <= at) place += 1;
    result.hits |= 1 << place;
    left = place === blockLength - 1 ? 0 : left & (-2 << place);
  }
  for (const [place, text] of long ?? []) {
    if ((within & (1 << place)) === 0) continue;
    if (result.place !== place) Object.assign(result, { place, searched: 0 });
    if (hasWord(text, word, result, scans)) result.hits |= 1 << place;
    result.asked |= 1 << place;
  }
  result.asked |= within;
}

/** Searches a long text in pieces. Pieces overlap, so that no match is missed between two of them. */
function hasWord(text: Buffer, word: Buffer, result: BlockResult, scans: TextScans | undefined): boolean {
  for (; result.searched < text.length; result.searched += scanBytes) {
    const piece = text.subarray(result.searched, result.searched + scanBytes + word.length - 1);
    scans?.scan(piece.length);
    if (piece.includes(word)) return true;
  }
  return false;
}

export function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

function blockFrom(texts: readonly (Buffer | undefined)[]): Block {
  const long = new Map<number, Buffer>();
  let length = 0;
  for (const [place, text = empty] of texts.entries()) {
    if (text.length > inlineBytesMax) long.set(place, text);
    length += (long.has(place) ? 0 : text.length) + 1;
  }
  const bytes = Buffer.alloc(length, separator);
  const starts = length > 0xffff ? new Uint32Array(blockLength + 1) : new Uint16Array(blockLength + 1);
  let end = 0;
  for (let place = 0; place < blockLength; place += 1) {
    const text = long.has(place) ? empty : (texts[place] ?? empty);
    starts[place] = end;
    bytes.set(text, end);
    end += text.length + 1;
  }
  starts[blockLength] = end;
  return { bytes, starts, long: long.size === 0 ? undefined : long };
}

/** Returns the block with another text at one position. */
function withText(block: Block = emptyBlock, place: number, text: Buffer = empty): Block {
  const { bytes, starts } = block;
  const [start, end] = [starts[place] as number, (starts[place + 1] as number) - 1];
  const grown = text.length - (end - start);
  const isWide = bytes.length + grown > 0xffff;
  if (block.long !== undefined || text.length > inlineBytesMax || isWide !== starts instanceof Uint32Array) {
    const texts = Array.from({ length: blockLength }, (_, each) => textAt(block, each));
    texts[place] = text;
    return blockFrom(texts);
  }
  const changed = Buffer.allocUnsafeSlow(bytes.length + grown);
  bytes.copy(changed, 0, 0, start);
  changed.set(text, start);
  bytes.copy(changed, start + text.length, end);
  const moved = starts.slice();
  for (let each = place + 1; each <= blockLength; each += 1) moved[each] = (starts[each] as number) + grown;
  return { bytes: changed, starts: moved, long: undefined };
}

function textAt({ bytes, starts, long }: Block, place: number): Buffer {
  return long?.get(place) ?? bytes.subarray(starts[place], (starts[place + 1] as number) - 1);
}

/** Returns the texts to index. Short texts count as one, since no piece spans a separator. */
function textsOf({ bytes, long }: Block): Buffer[] {
  return [bytes, ...(long?.values() ?? [])];
}
