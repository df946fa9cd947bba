import { JsonText } from "../../lib/text/json-text.ts";
import type { LargeJson } from "./json-stream.ts";

/** The content and headers of an answered page. */
export interface AnsweredPage {
  readonly body: JsonText | LargeJson;
  readonly headers: Record<string, string>;
}

/** Limits of the pages that are cached at once. */
const pagesMax = 64;
const bytesMax = 16 * 1024 * 1024;
/** Keys that were asked for once and are remembered. */
const keysMax = 256;

/**
 * Pages that were answered twice since the last change of anything in the store. Clients ask for the same first pages again and
 * again; a page that is asked for once would only take the place of another. Pages that are too large to be put together are
 * not cached.
 */
export class ResponseCache {
  readonly #pages = new Map<string, AnsweredPage>();
  readonly #askedOnce = new Set<string>();
  #version = -1;
  #bytes = 0;

  /** The page of a key, with headers of its own. */
  find(key: string, version: number): AnsweredPage | undefined {
    const page = version === this.#version ? this.#pages.get(key) : undefined;
    return page && { body: page.body, headers: { ...page.headers } };
  }

  keep(key: string, version: number, page: AnsweredPage): void {
    if (!(page.body instanceof JsonText)) return;
    if (version !== this.#version) this.#begin(version);
    if (!this.#askedOnce.has(key)) {
      if (this.#askedOnce.size >= keysMax) this.#askedOnce.clear();
      this.#askedOnce.add(key);
      return;
    }
    const { length } = page.body.bytes;
    if (this.#pages.size >= pagesMax || this.#bytes + length > bytesMax) this.#begin(version);
    this.#bytes += length;
    this.#pages.set(key, { body: page.body, headers: { ...page.headers } });
  }

  #begin(version: number): void {
    this.#pages.clear();
    this.#askedOnce.clear();
    this.#bytes = 0;
    this.#version = version;
  }
}
