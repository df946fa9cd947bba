/** The part of long work that one transaction does. */

/** Characters of texts that one slice rewrites: a record is written whole, however little of it changes. */
const charactersMax = 1 << 20;

/** The part of an unlimited rewrite that one transaction does: limited in records, and in characters of their texts. */
export class Slice {
  readonly #recordsMax: number;
  #records = 0;
  #characters = 0;

  constructor(recordsMax: number) {
    this.#recordsMax = recordsMax;
  }

  /** Records so far. */
  get records(): number {
    return this.#records;
  }

  /** Records that may follow, where none of them has a text. */
  get room(): number {
    return this.isFull ? 0 : this.#recordsMax - this.#records;
  }

  get isFull(): boolean {
    return this.#records >= this.#recordsMax || this.#characters >= charactersMax;
  }

  /** Counts records, and the longest text of them. */
  add(records: number, text: string | null = null): void {
    this.#records += records;
    this.#characters += text?.length ?? 0;
  }
}
