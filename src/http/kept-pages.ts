import type { JsonText } from "../domain/json-text.ts";

/** A page as it was answered: its bytes, and the headers that go with them. */
export interface KeptPage {
  readonly body: JsonText;
  readonly headers: Readonly<Record<string, string>>;
}

/** Pages of at most a hundred entries each: some megabytes. */
const pagesMax = 64;

/**
 * Pages that were answered since the last change of anything in the store, for operations that say what else their
 * answer depends on (`keptFor`). Clients ask for the same first pages again and again.
 */
export class KeptPages {
  readonly #pages = new Map<string, KeptPage>();
  #version = -1;

  find(key: string, version: number): KeptPage | undefined {
    return version === this.#version ? this.#pages.get(key) : undefined;
  }

  keep(key: string, version: number, page: KeptPage): void {
    if (version !== this.#version || this.#pages.size >= pagesMax) this.#pages.clear();
    this.#version = version;
    this.#pages.set(key, page);
  }
}
