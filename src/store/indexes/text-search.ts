import { Bitmap } from "../query/bitmap.ts";
import type { IdSet } from "../query/id-set.ts";
import { blockLength, blockOf, lowestBit, type TextField, type Word } from "./text-field.ts";

interface Options {
  readonly words: readonly Word[];
  readonly fields: readonly TextField[];
  readonly blockCount: number;
  readonly isComplete: boolean;
  /** The ids of all documents. */
  readonly ids: Bitmap;
  /** Returns the texts of a document that is not indexed yet; undefined when it is indexed. */
  readonly missingTextsOf: (id: number) => readonly Buffer[] | undefined;
}

const allPlaces = -1;
/** The number of blocks in a sample, from which the number of matches in all blocks is estimated. */
const sampledBlocks = 128;
/** The cost of the next id in a block, relative to a test of one id. */
const idCost = 0.5;

/** One search in a text index. It can test single ids, estimate the number of matches, and list them. */
export class TextSearch {
  readonly #options: Options;
  #blocks: readonly number[] | undefined;
  #estimate: number | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  has(id: number): boolean {
    const { words, missingTextsOf, ids } = this.#options;
    if (words.length === 0) return ids.has(id);
    const missing = missingTextsOf(id);
    if (missing !== undefined)
      return missing.length > 0 && words.every(({ bytes }) => missing.some((text) => text.includes(bytes)));
    return this.#hitsOf(blockOf(id), 1 << (id % blockLength)) !== 0;
  }

  /** The approximate number of matches. */
  get estimate(): number {
    this.#estimate ??= this.#estimated();
    return this.#estimate;
  }

  /** The cost of `list`, in units of `has`. */
  get listCost(): number {
    return this.#options.isComplete
      ? this.#candidateBlocks().length + this.estimate * idCost
      : Number.POSITIVE_INFINITY;
  }

  /** Returns all matches in ascending order. Only for a complete index. */
  list(): number[] {
    const { words, ids } = this.#options;
    if (words.length === 0) return [...ids];
    const found: number[] = [];
    for (const block of this.#candidateBlocks()) {
      for (let hits = this.#hitsOf(block, allPlaces); hits !== 0; hits &= hits - 1) {
        found.push(block * blockLength + lowestBit(hits));
      }
    }
    return found;
  }

  /** Returns the matches in `scope`, searching nowhere else; undefined while the index is incomplete. */
  within(scope: Bitmap): Bitmap | undefined {
    const { words, isComplete } = this.#options;
    if (!isComplete) return undefined;
    if (words.length === 0) return scope;
    const found = new Bitmap();
    for (const block of this.#candidateBlocks()) {
      const asked = scope.wordAt(block);
      const hits = asked === 0 ? 0 : this.#hitsOf(block, asked);
      if (hits !== 0) found.addWord(block, hits);
    }
    return found;
  }

  #estimated(): number {
    const { words, ids, isComplete } = this.#options;
    if (words.length === 0 || !isComplete) return ids.size;
    const blocks = this.#candidateBlocks();
    const step = Math.max(1, Math.floor(blocks.length / sampledBlocks));
    let hits = 0;
    let asked = 0;
    for (let place = 0; place < blocks.length; place += step) {
      for (let bits = this.#hitsOf(blocks[place] as number, allPlaces); bits !== 0; bits &= bits - 1) hits += 1;
      asked += 1;
    }
    return asked === 0 ? 0 : (hits * blocks.length) / asked;
  }

  /** Returns the ids of a block that have every word, searching only those in `within`. */
  #hitsOf(block: number, within: number): number {
    const { words, fields } = this.#options;
    let left = within;
    for (const word of words) {
      let found = 0;
      for (const field of fields) found |= field.hits(block, word, left & ~found);
      left = found;
      if (left === 0) break;
    }
    return left;
  }

  /** Returns the blocks that may have every word. */
  #candidateBlocks(): readonly number[] {
    this.#blocks ??= this.#foundBlocks();
    return this.#blocks;
  }

  #foundBlocks(): readonly number[] {
    const { words, fields, blockCount } = this.#options;
    let blocks: IdSet | undefined;
    for (const word of words) {
      const ofFields = fields.map((field) => field.blocksWith(word.bytes));
      if (ofFields.includes(undefined)) continue;
      const ofWord = unionOf(ofFields as IdSet[]);
      blocks = blocks === undefined ? ofWord : intersectionOf(blocks, ofWord);
    }
    return blocks === undefined ? Array.from({ length: blockCount }, (_, block) => block) : [...blocks];
  }
}

function unionOf(sets: readonly IdSet[]): IdSet {
  const [only] = sets;
  if (sets.length === 1 && only !== undefined) return only;
  const union = new Bitmap();
  for (const set of sets) for (const block of set) union.add(block);
  return union;
}

function intersectionOf(a: IdSet, b: IdSet): IdSet {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  return Bitmap.of([...small].filter((block) => large.has(block)));
}
