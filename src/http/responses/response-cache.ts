import { JsonText } from "../../lib/text/json-text.ts";
import type { LargeJson } from "./json-stream.ts";

/** The content and headers of an answered page. */
export interface AnsweredPage {
  readonly body: JsonText | LargeJson;
  readonly headers: Readonly<Record<string, string>>;
}

/** Limits of the pages that are cached at once. */
const pagesMax = 64;
const bytesMax = 16 * 1024 * 1024;

/**
 * Pages that were answered since the last change of anything in the store. Clients ask for the same first pages again and
 * again. Pages that are too large to be put together are not cached.
 */
export class ResponseCache {
  readonly #pages = new Map<string, AnsweredPage>();
  #version = -1;
  #bytes = 0;

  find(key: string, version: number): AnsweredPage | undefined {
    return version === this.#version ? this.#pages.get(key) : undefined;
  }

  keep(key: string, version: number, page: AnsweredPage): void {
    if (!(page.body instanceof JsonText)) return;
    const { length } = page.body.bytes;
    if (version !== this.#version || this.#pages.size >= pagesMax || this.#bytes + length > bytesMax) {
      this.#pages.clear();
      this.#bytes = 0;
    }
    this.#version = version;
    this.#bytes += length;
    this.#pages.set(key, page);
  }
}
