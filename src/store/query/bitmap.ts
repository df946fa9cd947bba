import { spend } from "../../domain/work-budget.ts";

const bitsPerWord = 32;
/** The number of words that cost as much as one step. */
const wordsPerStep = 8;
/** The number of words that one step counts. */
const countedPerStep = 4;

/** A set of ids with one bit per id up to the highest. It suits sets with more than one id in 64. */
export class Bitmap {
  #words: Uint32Array;
  #size = 0;
  /** True when `#size` is correct. Long sets are counted at the first use of `size`. */
  #isCounted = true;

  constructor(capacity = 1024) {
    this.#words = new Uint32Array(Math.ceil(capacity / bitsPerWord));
  }

  static of(ids: Iterable<number>): Bitmap {
    const bitmap = new Bitmap();
    for (const id of ids) bitmap.add(id);
    return bitmap;
  }

  /**
   * Counts the ids that are in every one of `all` and in none of `none`, and how many of these are in `part`; it builds
   * no bitmap. Without `all`, the counts are 0.
   */
  static countOf(all: readonly Bitmap[], none: readonly Bitmap[], part?: Bitmap): { all: number; part: number } {
    const length = Math.min(...all.map((each) => each.#words.length));
    const [first, ...others] = all.map((each) => each.#words);
    const excluded = none.map((each) => each.#words);
    const counted = { all: 0, part: 0 };
    if (first === undefined) return counted;
    spend((length * (all.length + none.length)) / wordsPerStep);
    spend((length * (part === undefined ? 1 : 2)) / countedPerStep);
    for (let index = 0; index < length; index += 1) {
      let word = first[index] as number;
      for (let i = 0; i < others.length; i += 1) word &= (others[i] as Uint32Array)[index] as number;
      for (let i = 0; i < excluded.length; i += 1) word &= ~((excluded[i] as Uint32Array)[index] ?? 0);
      if (word === 0) continue;
      counted.all += populationOf(word);
      if (part !== undefined) counted.part += populationOf(word & (part.#words[index] ?? 0));
    }
    return counted;
  }

  get size(): number {
    if (!this.#isCounted) {
      this.#size = Bitmap.countOf([this], []).all;
      this.#isCounted = true;
    }
    return this.#size;
  }

  get bits(): Bitmap {
    return this;
  }

  addTo(bitmap: Bitmap): void {
    bitmap.orWith(this);
  }

  has(id: number): boolean {
    const word = this.#words[id >>> 5];
    return word !== undefined && (word & (1 << (id & 31))) !== 0;
  }

  add(id: number): void {
    const index = id >>> 5;
    if (index >= this.#words.length) this.#grow(index);
    const before = this.#words[index] as number;
    const after = before | (1 << (id & 31));
    if (after >>> 0 === before) return;
    this.#words[index] = after;
    this.#size += 1;
  }

  /**
   * Adds the ids from index `from` up to `to`, unsorted and none above `highest`. Takes a third of the time of single
   * `add`s.
   */
  addAll(ids: readonly number[] | Uint32Array, from: number, to: number, highest: number): void {
    if (highest >>> 5 >= this.#words.length) this.#grow(highest >>> 5);
    const words = this.#words;
    spend(to - from);
    for (let place = from; place < to; place += 1) {
      const id = ids[place] as number;
      words[id >>> 5] = (words[id >>> 5] as number) | (1 << (id & 31));
    }
    this.#isCounted = false;
  }

  delete(id: number): void {
    const index = id >>> 5;
    const before = this.#words[index];
    if (before === undefined || (before & (1 << (id & 31))) === 0) return;
    this.#words[index] = before & ~(1 << (id & 31));
    this.#size -= 1;
  }

  /** Removes the ids below `id`. */
  dropBelow(id: number): void {
    const index = id >>> 5;
    this.#words.fill(0, 0, index);
    if (index < this.#words.length) this.#words[index] = (this.#words[index] as number) & (-1 << (id & 31));
    this.#isCounted = false;
  }

  /** Returns the 32 ids from 32 × `place` on, one bit each. */
  wordAt(place: number): number {
    return this.#words[place] ?? 0;
  }

  /** Adds the ids of a word in the form of `wordAt`. */
  addWord(place: number, word: number): void {
    if (place >= this.#words.length) this.#grow(place);
    this.#words[place] = (this.#words[place] as number) | word;
    this.#isCounted = false;
  }

  /** Returns the lowest id that is at least `from`. */
  firstFrom(from: number): number | undefined {
    let index = from >>> 5;
    let word = (this.#words[index] ?? 0) & (-1 << (from & 31));
    while (word === 0) {
      index += 1;
      if (index >= this.#words.length) return undefined;
      word = this.#words[index] as number;
    }
    return index * bitsPerWord + 31 - Math.clz32(word & -word);
  }

  /** Returns the highest id that is at most `to`. */
  lastUpTo(to: number): number | undefined {
    if (to < 0) return undefined;
    let index = Math.min(to >>> 5, this.#words.length - 1);
    let word = this.#words[index] ?? 0;
    if (index === to >>> 5) word &= -1 >>> (31 - (to & 31));
    while (word === 0) {
      index -= 1;
      if (index < 0) return undefined;
      word = this.#words[index] as number;
    }
    return index * bitsPerWord + 31 - Math.clz32(word);
  }

  /** Returns the ids in both. */
  and(other: Bitmap): Bitmap {
    return this.copy().andWith(other);
  }

  /** Returns the ids in either. */
  or(other: Bitmap): Bitmap {
    return this.copy().orWith(other);
  }

  /** Returns the ids in this one and not in `other`. */
  without(other: Bitmap): Bitmap {
    return this.copy().andNotWith(other);
  }

  copy(): Bitmap {
    const copy = new Bitmap(0);
    spend(this.#words.length / wordsPerStep);
    copy.#words = this.#words.slice();
    copy.#size = this.#size;
    copy.#isCounted = this.#isCounted;
    return copy;
  }

  /** Returns the number of ids in both. */
  countAnd(other: Bitmap): number {
    return Bitmap.countOf([this, other], []).all;
  }

  /**
   * Removes the ids that are not in `other`. Like all `…With`, it changes this set. Each has its own loop, which is faster.
   */
  andWith(other: Bitmap): this {
    const [words, others] = [this.#words, other.#words];
    const common = Math.min(words.length, others.length);
    spend(common / wordsPerStep);
    for (let i = 0; i < common; i += 1) words[i] = (words[i] as number) & (others[i] as number);
    words.fill(0, common);
    this.#isCounted = false;
    return this;
  }

  /** Adds the ids of `other`. */
  orWith(other: Bitmap): this {
    if (other.#words.length > this.#words.length) this.#growTo(other.#words.length);
    const [words, others] = [this.#words, other.#words];
    spend(others.length / wordsPerStep);
    for (let i = 0; i < others.length; i += 1) words[i] = (words[i] as number) | (others[i] as number);
    this.#isCounted = false;
    return this;
  }

  /** Removes the ids of `other`. */
  andNotWith(other: Bitmap): this {
    const [words, others] = [this.#words, other.#words];
    const common = Math.min(words.length, others.length);
    spend(common / wordsPerStep);
    for (let i = 0; i < common; i += 1) words[i] = (words[i] as number) & ~(others[i] as number);
    this.#isCounted = false;
    return this;
  }

  /** Yields the ids in ascending order. */
  *[Symbol.iterator](): Generator<number> {
    for (let index = 0; index < this.#words.length; index += 1) {
      let word = this.#words[index] as number;
      while (word !== 0) {
        const bit = 31 - Math.clz32(word & -word);
        yield index * bitsPerWord + bit;
        word &= word - 1;
      }
    }
  }

  #grow(index: number): void {
    this.#growTo(Math.max(index + 1, this.#words.length * 2));
  }

  #growTo(length: number): void {
    const grown = new Uint32Array(length);
    grown.set(this.#words);
    this.#words = grown;
  }
}

function populationOf(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
