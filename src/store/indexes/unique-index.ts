import { type Steps, stepLength } from "../../lib/yield.ts";

export type Key = string | number | boolean;

/** An index from each key to the one id that has it. */
export class UniqueIndex<T extends { readonly id: number }> {
  readonly #name: string;
  readonly #keyOf: (document: T) => Key | undefined;
  readonly #ids = new Map<Key, number>();

  constructor(name: string, keyOf: (document: T) => Key | undefined) {
    this.#name = name;
    this.#keyOf = keyOf;
  }

  find(key: Key): number | undefined {
    return this.#ids.get(key);
  }

  /** Throws when two documents have the same key. */
  *build(documents: Iterable<T>): Steps {
    let count = 0;
    for (const document of documents) {
      count += 1;
      if (count % stepLength === 0) yield;
      const key = this.#keyOf(document);
      if (key === undefined) continue;
      const before = this.#ids.size;
      this.#ids.set(key, document.id);
      if (this.#ids.size === before) throw new Error(`${this.#name}: ${String(key)} is taken twice`);
    }
  }

  /** Throws, with nothing changed, when another document has the key. The service has to check that before. */
  replace(before: T | undefined, after: T | undefined): void {
    const oldKey = before === undefined ? undefined : this.#keyOf(before);
    const newKey = after === undefined ? undefined : this.#keyOf(after);
    if (oldKey === newKey) return;
    if (newKey !== undefined && after !== undefined) {
      if (this.#ids.has(newKey)) throw new Error(`${this.#name}: ${String(newKey)} is taken`);
      this.#ids.set(newKey, after.id);
    }
    if (oldKey !== undefined) this.#ids.delete(oldKey);
  }
}
