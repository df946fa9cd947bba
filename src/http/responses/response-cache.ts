import { JsonText } from "../../lib/text/json-text.ts";
import type { LargeJson } from "./json-stream.ts";

/** The content and headers of a page. The bytes of a small one are valid only until the next list is made. */
export interface AnsweredPage {
  readonly body: JsonText | LargeJson;
  readonly headers: Readonly<Record<string, string>>;
}

/** A page for clients with one `Accept-Encoding`. `headers` has those that are the same in each answer. */
export interface SentPage {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: Headers;
}

/** A cached page, and the request that it answers. */
export interface CachedPage<A> {
  readonly body: JsonText;
  readonly headers: Readonly<Record<string, string>>;
  readonly asked: A;
  /** By the client's `Accept-Encoding`. */
  readonly sent: Map<string, SentPage>;
}

/** The state that a page shows: the version of the store, and the time. */
export interface ShownState {
  /** The `Store.version`. */
  readonly version: number;
  /** The time before the first read, in milliseconds since 1970. */
  readonly now: number;
}

/** A request for a list. Besides the state, its URL and its credentials determine the answer. */
export interface AskedList {
  readonly request: Request;
  /** The base of every URL in the answer. */
  readonly baseUrl: string;
  /** Normalised and percent-encoded. */
  readonly path: string;
  /** The query without the `?`. */
  readonly search: string;
}

/** Headers with credentials. */
const credentialHeaders = ["private-token", "authorization", "job-token", "cookie", "sudo"] as const;

/** The number of `Accept-Encoding` values per page. */
export const sentMax = 3;
/** The limits of the cache. The bytes of a page count once per copy, with those of its key. */
const pagesMax = 64;
const bytesMax = 16 * 1024 * 1024;
const copiesMax = 1 + sentMax;
/** The number of remembered addresses that were requested once. */
const addressesMax = 256;

/**
 * Caches pages that were requested twice since the last change of the store, within the current second, so that expired
 * tokens and memberships are noticed in time. A page that is requested once would only displace another. Pages that are too
 * large to be built at once are not cached. `A` is the server's notes about the request.
 */
export class ResponseCache<A> {
  readonly #pages = new Map<string, Map<string, CachedPage<A>>>();
  readonly #askedOnce = new Set<string>();
  #version = -1;
  #second = -1;
  #count = 0;
  #bytes = 0;

  /** Returns the page that the same caller got from the same address. */
  find(list: AskedList, state: ShownState): CachedPage<A> | undefined {
    if (this.#count === 0 || !this.#isCurrent(state)) return undefined;
    return this.#pages.get(addressOf(list))?.get(callerOf(list));
  }

  keep(list: AskedList, state: ShownState, { body, headers }: AnsweredPage, asked: A): void {
    if (!(body instanceof JsonText)) return;
    if (!this.#isCurrent(state)) this.#begin(state);
    const address = addressOf(list);
    if (!this.#askedOnce.has(address)) {
      if (this.#askedOnce.size >= addressesMax) this.#askedOnce.clear();
      this.#askedOnce.add(address);
      return;
    }
    const caller = callerOf(list);
    const bytes = copiesMax * body.bytes.length + address.length + caller.length;
    if (this.#count >= pagesMax || this.#bytes + bytes > bytesMax) this.#begin(state);
    this.#bytes += bytes;
    this.#count += 1;
    const ofAddress = this.#pages.get(address) ?? new Map<string, CachedPage<A>>();
    const page = { body: new JsonText(new Uint8Array(body.bytes)), headers, asked, sent: new Map() };
    this.#pages.set(address, ofAddress.set(caller, page));
  }

  #isCurrent({ version, now }: ShownState): boolean {
    return version === this.#version && secondOf(now) === this.#second;
  }

  #begin({ version, now }: ShownState): void {
    this.#pages.clear();
    this.#askedOnce.clear();
    this.#count = 0;
    this.#bytes = 0;
    this.#version = version;
    this.#second = secondOf(now);
  }
}

function secondOf(ms: number): number {
  return Math.floor(ms / 1000);
}

function addressOf({ baseUrl, path, search }: AskedList): string {
  return `${baseUrl}${path}?${search}`;
}

/** Returns the credentials as a key. An absent header differs from an empty one. */
function callerOf({ request: { headers } }: AskedList): string {
  let text = "";
  for (const name of credentialHeaders) {
    const value = headers.get(name);
    text += value === null ? "\n" : `${value}\r\n`;
  }
  return text;
}
