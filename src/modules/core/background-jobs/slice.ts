/** The part of an unlimited rewrite that one transaction does. */

import type { Transaction } from "../../../store/index.ts";
import { hasManyTexts } from "../../kernel/removal.ts";

/** The part of an unlimited rewrite that one transaction does: limited in records, and in characters of their texts. */
export class Slice {
  readonly #tx: Transaction;
  readonly #recordsMax: number;
  #records = 0;

  constructor(tx: Transaction, recordsMax: number) {
    this.#tx = tx;
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
    return this.#records >= this.#recordsMax || hasManyTexts(this.#tx);
  }

  add(records: number): void {
    this.#records += records;
  }
}
