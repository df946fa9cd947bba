import { currentScans } from "../../domain/work-budget.ts";
import type { Pace } from "../../lib/yield.ts";
import type { Bitmap } from "../query/bitmap.ts";
import { blockLength, blockOf, normalise, TextField } from "./text-field.ts";
import { TextSearch } from "./text-search.ts";

/** The text fields of an index, by name. */
export type TextsOf<T> = Readonly<Record<string, (document: T) => string>>;

/** The documents from which an index is filled. */
export interface DocumentSource<T> {
  readonly ids: Bitmap;
  get(id: number): T | undefined;
}

interface FieldOf<T> {
  readonly name: string;
  readonly textOf: (document: T) => string;
  readonly texts: TextField;
}

/**
 * Finds documents by words in their texts, without reading the documents.
 *
 * `fill` runs after the start, since a million documents take seconds. Until `isComplete`, a search reads the documents that
 * are not indexed yet.
 */
export class TextIndex<T extends { readonly id: number }> {
  readonly #fields: readonly FieldOf<T>[];
  /** Blocks below this one are filled. `fill` will reach later ones. */
  #filledBlocks = 0;
  #isComplete = false;

  constructor(textsOf: TextsOf<T>) {
    this.#fields = Object.entries(textsOf).map(([name, textOf]) => ({ name, textOf, texts: new TextField() }));
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Finds the ids that have every word, in any of `fields`; without `fields`, in any field. Case does not matter. */
  search(words: readonly string[], fields: readonly string[] | undefined, documents: DocumentSource<T>): TextSearch {
    const asked = this.#fields.filter(({ name }) => fields === undefined || fields.includes(name));
    return new TextSearch({
      // The longest word first: it leaves the fewest candidates.
      words: [...new Set(words.map((word) => word.toLowerCase()))]
        .filter((word) => word !== "")
        .map((word) => ({ bytes: normalise(word), key: word }))
        .sort((a, b) => b.bytes.length - a.bytes.length),
      fields: asked.map(({ texts }) => texts),
      blockCount: blockOf(documents.ids.lastUpTo(Number.MAX_SAFE_INTEGER) ?? 0) + 1,
      isComplete: this.#isComplete,
      ids: documents.ids,
      missingTextsOf: (id) => {
        if (this.#isComplete || blockOf(id) < this.#filledBlocks) return undefined;
        const document = documents.get(id);
        if (document === undefined) return [];
        const texts = asked.map(({ textOf }) => normalise(textOf(document)));
        for (const text of texts) currentScans()?.charge(text.length);
        return texts;
      },
    });
  }

  replace(before: T | undefined, after: T | undefined): void {
    const id = (after ?? before)?.id ?? 0;
    if (!this.#isComplete && blockOf(id) >= this.#filledBlocks) return;
    for (const { textOf, texts } of this.#fields) {
      const old = before === undefined ? undefined : textOf(before);
      const now = after === undefined ? undefined : textOf(after);
      if (old !== now) texts.set(id, now === undefined ? undefined : normalise(now));
    }
  }

  /** Indexes all documents, which may change meanwhile. Stops early, incomplete, when `pace` asks for it. */
  async fill(documents: DocumentSource<T>, pace: Pace): Promise<void> {
    let id = documents.ids.firstFrom(1);
    while (id !== undefined) {
      const block = blockOf(id);
      this.#fillBlock(block, documents);
      this.#filledBlocks = block + 1;
      const mayGoOn = pace();
      if (mayGoOn !== true && !(await mayGoOn)) return;
      id = documents.ids.firstFrom(this.#filledBlocks * blockLength);
    }
    this.#isComplete = true;
  }

  #fillBlock(block: number, documents: DocumentSource<T>): void {
    const inBlock = Array.from({ length: blockLength }, (_, place) => documents.get(block * blockLength + place));
    for (const { textOf, texts } of this.#fields) {
      texts.fillBlock(
        block,
        inBlock.map((document) => (document === undefined ? undefined : normalise(textOf(document)))),
      );
    }
  }
}
