/** The scalars and collections that are keys if a colon follows them. */

import { tooBig } from "../extent.ts";
import { CiFileError } from "../values.ts";
import { type Cursor, type Mark, syntaxError } from "./cursor.ts";

interface PossibleKey {
  /** The number of its first token. */
  readonly number: number;
  readonly at: number;
  readonly mark: Mark;
  /** Nothing but a key may be there. */
  readonly isRequired: boolean;
}

/** Longer ones need a `?`. */
const keyLengthMax = 1024;
/** Lists and mappings in brackets; the limit of nesting in a file is lower. */
const flowDepthMax = 200;

/** At most one for each open bracket, and one for all blocks. */
export class PossibleKeys {
  readonly #keys: (PossibleKey | undefined)[] = [undefined];

  get isInFlow(): boolean {
    return this.#keys.length > 1;
  }

  openFlow(): void {
    if (this.#keys.length > flowDepthMax) throw new CiFileError(tooBig);
    this.#keys.push(undefined);
  }

  closeFlow(): void {
    if (this.isInFlow) this.#keys.pop();
  }

  /** Whether the token of a number may be the first of a key. */
  has(number: number): boolean {
    for (const key of this.#keys) if (key?.number === number) return true;
    return false;
  }

  remember(key: PossibleKey): void {
    this.forget();
    this.#keys[this.#keys.length - 1] = key;
  }

  /** Returns the key before a colon. */
  take(): PossibleKey | undefined {
    const key = this.#keys.at(-1);
    this.#keys[this.#keys.length - 1] = undefined;
    return key;
  }

  /** Throws `CiFileError` when a key without a colon is here. */
  forget(): void {
    const key = this.take();
    if (key?.isRequired === true) throw missingColon(key);
  }

  /** A key ends on its line. Throws as `forget`. */
  forgetStale({ at, line }: Cursor): void {
    for (let level = 0; level < this.#keys.length; level += 1) {
      const key = this.#keys[level];
      if (key === undefined || (key.mark.line === line && at - key.at <= keyLengthMax)) continue;
      if (key.isRequired) throw missingColon(key);
      this.#keys[level] = undefined;
    }
  }
}

function missingColon({ mark }: PossibleKey): CiFileError {
  return syntaxError(mark, "could not find expected ':'", "while scanning a simple key");
}
