import { type Steps, stepLength } from "../../lib/yield.ts";

/** The amount that a document adds to the sum of a key. */
export type Addend = readonly [key: string, amount: number];

/** An index of the sum of an amount for each key. */
export class SumIndex<T> {
  readonly #addendOf: (document: T) => Addend | undefined;
  readonly #sums = new Map<string, number>();
  #total = 0;

  constructor(addendOf: (document: T) => Addend | undefined) {
    this.#addendOf = addendOf;
  }

  /** The sum of all documents. */
  get total(): number {
    return this.#total;
  }

  of(key: string): number {
    return this.#sums.get(key) ?? 0;
  }

  *build(documents: Iterable<T>): Steps {
    let count = 0;
    for (const document of documents) {
      count += 1;
      if (count % stepLength === 0) yield;
      this.#add(document, 1);
    }
  }

  replace(before: T | undefined, after: T | undefined): void {
    if (before !== undefined) this.#add(before, -1);
    if (after !== undefined) this.#add(after, 1);
  }

  #add(document: T, sign: 1 | -1): void {
    const [key, amount] = this.#addendOf(document) ?? ["", 0];
    if (amount === 0) return;
    const sum = this.of(key) + sign * amount;
    if (sum === 0) this.#sums.delete(key);
    else this.#sums.set(key, sum);
    this.#total += sign * amount;
  }
}
