import { JsonText } from "../../lib/text/json-text.ts";
import type { LargeJson } from "./json-stream.ts";

/** The content and headers of an answered page. The bytes of a small one hold only until the next list is made. */
export interface AnsweredPage {
  readonly body: JsonText | LargeJson;
  readonly headers: Readonly<Record<string, string>>;
}

/** A page as it is sent to clients with one `Accept-Encoding`. `headers` has all that are the same in each answer. */
export interface SentPage {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: Headers;
}

/** A cached page, and the request that it answers. */
export interface CachedPage<A> {
  readonly body: JsonText;
  readonly headers: Readonly<Record<string, string>>;
  readonly asked: A;
  /** By the `Accept-Encoding` of the client. */
  readonly sent: Map<string, SentPage>;
}

/** The state that a page shows: that of the store, at a time. */
export interface ShownState {
  /** `Store.version` */
  readonly version: number;
  /** Milliseconds since 1970, before anything was looked at. */
  readonly now: number;
}

/** A request for a list. Beside the state, its address with the query and its credentials decide about the content. */
export interface AskedList {
  readonly request: Request;
  /** Base of every URL in the answer. */
  readonly baseUrl: string;
  /** Cleaned and percent-encoded. */
  readonly path: string;
  /** The query without the `?`. */
  readonly search: string;
}

/** Headers with credentials. */
const credentialHeaders = ["private-token", "authorization", "job-token", "cookie", "sudo"] as const;

/** Values of `Accept-Encoding` for which one page is kept as it is sent. */
export const sentMax = 3;
/** Limits of the pages that are cached at once. The bytes of a page count once for each copy, with those of its key. */
const pagesMax = 64;
const bytesMax = 16 * 1024 * 1024;
const copiesMax = 1 + sentMax;
/** Addresses that were asked for once and are remembered. */
const addressesMax = 256;

/**
 * Pages that were answered twice since the last change of anything in the store, and in this second, so that the end of a token
 * or membership is noticed in time. Clients ask for the same first pages again and again; a page whose address is asked for once
 * would only take the place of another. Pages that are too large to be put together are not cached. `A`: the server's notes
 * about the request.
 */
export class ResponseCache<A> {
  readonly #pages = new Map<string, Map<string, CachedPage<A>>>();
  readonly #askedOnce = new Set<string>();
  #version = -1;
  #second = -1;
  #count = 0;
  #bytes = 0;

  /** The page that the same caller got from the same address. */
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

/** An absent header differs from an empty one. */
function callerOf({ request: { headers } }: AskedList): string {
  let text = "";
  for (const name of credentialHeaders) {
    const value = headers.get(name);
    text += value === null ? "\n" : `${value}\r\n`;
  }
  return text;
}
