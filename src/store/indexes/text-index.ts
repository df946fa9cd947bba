import { asBitmap, type IdSet } from "../id-set.ts";
import type { Pace } from "../pace.ts";
import { Postings } from "../postings.ts";

/** A text this short has no trigram of its own. */
export const trigramLength = 3;

/**
 * Three neighbouring letters → the ids whose text has them. Answers "whose text contains this word" with all ids
 * that do and a few that do not, so the reader looks at the documents that are left.
 *
 * It is filled after the start (`fill`), because a million documents take seconds: until `isComplete`, a search has
 * to look at every document of its scope.
 */
export class TextIndex<T extends { readonly id: number }> {
  readonly #textsOf: (document: T) => readonly string[];
  readonly #postings = new Map<number, Postings>();
  /** Documents up to this id are in; later ones are met by `fill`. */
  #filledUpTo = 0;
  #isComplete = false;

  constructor(textsOf: (document: T) => readonly string[]) {
    this.#textsOf = textsOf;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Ids whose text may contain every word; undefined when that rules nobody out. */
  candidates(words: readonly string[]): IdSet | undefined {
    const needed = new Set<number>();
    for (const word of words) addTrigrams(word.toLowerCase(), needed);
    if (!this.#isComplete || needed.size === 0) return undefined;
    const postings: Postings[] = [];
    for (const trigram of needed) {
      const found = this.#postings.get(trigram);
      if (found === undefined) return none;
      postings.push(found);
    }
    postings.sort((a, b) => a.size - b.size);
    const [smallest, ...others] = postings as [Postings, ...Postings[]];
    if (others.length === 0) return smallest;
    if (smallest.bits === undefined) {
      return new Set([...smallest].filter((id) => others.every((each) => each.has(id))));
    }
    return others.map(asBitmap).reduce((bits, each) => bits.and(each), smallest.bits);
  }

  replace(before: T | undefined, after: T | undefined): void {
    const id = (after ?? before)?.id ?? 0;
    if (!this.#isComplete && id > this.#filledUpTo) return;
    const old = before === undefined ? none : this.#trigramsOf(before);
    const now = after === undefined ? none : this.#trigramsOf(after);
    for (const trigram of old) if (!now.has(trigram)) this.#remove(trigram, id);
    for (const trigram of now) if (!old.has(trigram)) this.#postingsOf(trigram).add(id);
  }

  /**
   * Takes in all documents, which must come in rising order of their ids and may go on changing meanwhile.
   * An end that `pace` asked for leaves the index incomplete.
   */
  async fill(documents: Iterable<T>, pace: Pace): Promise<void> {
    for (const document of documents) {
      for (const trigram of this.#trigramsOf(document)) this.#postingsOf(trigram).add(document.id);
      this.#filledUpTo = document.id;
      const mayGoOn = pace();
      if (mayGoOn !== true && !(await mayGoOn)) return;
    }
    this.#isComplete = true;
  }

  #trigramsOf(document: T): Set<number> {
    const trigrams = new Set<number>();
    for (const text of this.#textsOf(document)) addTrigrams(text.toLowerCase(), trigrams);
    return trigrams;
  }

  #postingsOf(trigram: number): Postings {
    let postings = this.#postings.get(trigram);
    if (postings === undefined) {
      postings = new Postings();
      this.#postings.set(trigram, postings);
    }
    return postings;
  }

  #remove(trigram: number, id: number): void {
    const postings = this.#postings.get(trigram);
    postings?.delete(id);
    if (postings?.size === 0) this.#postings.delete(trigram);
  }
}

const none: ReadonlySet<number> = new Set();

/** Three UTF-16 units as one number of 48 bits. */
function addTrigrams(text: string, into: Set<number>): void {
  for (let start = 0; start + trigramLength <= text.length; start += 1) {
    into.add((text.charCodeAt(start) * 65536 + text.charCodeAt(start + 1)) * 65536 + text.charCodeAt(start + 2));
  }
}
