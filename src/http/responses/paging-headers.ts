import type { Page, Position } from "../../domain/page.ts";
import { encodeCursor, type KeysetOrder } from "./cursor.ts";
import type { Continuation, Paging } from "./pagination.ts";

/**
 * Returns the paging headers of a page (rest-conventions 7.1, 7.3). `url` is the absolute URL of the list without its query;
 * `search` is the query as sent.
 */
export function pagingHeaders(
  url: string,
  search: string,
  paging: Paging,
  page: Page<unknown>,
): Record<string, string> {
  const { request, keyset } = paging;
  if (request.kind === "offset") return offsetHeaders(url, search, request, page);
  return keyset === undefined ? {} : keysetHeaders(url, search, keyset, page);
}

function offsetHeaders(
  url: string,
  search: string,
  { page, perPage }: { readonly page: number; readonly perPage: number },
  { total, hasNext }: Page<unknown>,
): Record<string, string> {
  const start = `<${url}?${keepQuery(search, isOffsetName)}page=`;
  const end = `&per_page=${perPage}>; rel=`;
  const headers: Record<string, string> = {
    "X-Page": `${page}`,
    "X-Per-Page": `${perPage}`,
    "X-Next-Page": hasNext ? `${page + 1}` : "",
    "X-Prev-Page": page > 1 ? `${page - 1}` : "",
  };
  const prev = page > 1 ? `${start}${page - 1}${end}"prev"` : "";
  const next = hasNext ? `${start}${page + 1}${end}"next"` : "";
  let ends = `${start}1${end}"first"`;
  if (total !== undefined) {
    const lastPage = Math.max(1, Math.ceil(total / perPage));
    headers["X-Total"] = `${total}`;
    headers["X-Total-Pages"] = `${lastPage}`;
    ends += `, ${start}${lastPage}${end}"last"`;
  }
  const links = shortened(prev, next, ends);
  if (links !== "") headers.Link = links;
  return headers;
}

/** The most characters of all links together: clients and proxies refuse headers that are too long. */
const linksLengthMax = 4096;

/** Drops links when they are too long together: first and last page, then the previous one, never the next one. */
function shortened(prev: string, next: string, ends: string): string {
  const around = prev === "" || next === "" ? prev + next : `${prev}, ${next}`;
  const all = around === "" ? ends : `${around}, ${ends}`;
  if (all.length <= linksLengthMax) return all;
  return around.length <= linksLengthMax ? around : next;
}

function keysetHeaders(
  url: string,
  search: string,
  { order, continuation }: NonNullable<Paging["keyset"]>,
  page: Page<unknown>,
): Record<string, string> {
  const name = continuation !== "id" ? continuation : order.sort === "asc" ? "id_after" : "id_before";
  const value = continuation === "id" ? lastIdOf(page.items) : page.next && tokenOf(page.next, order, continuation);
  if (value === undefined) return {};
  return { Link: `<${url}?${keepQuery(search, (key) => key === name)}${name}=${value}>; rel="next"` };
}

/** Returns a page token. Without an id, it is the key of the last item, which clients may also take from the item. */
function tokenOf(next: Position, order: KeysetOrder, continuation: Continuation): string {
  return continuation === "page_token" && next.id === 0 ? encodeURIComponent(next.key) : encodeCursor(order, next);
}

/** Returns the id of the last item. Lists that continue by id have a `Link` on every non-empty page, even the last one. */
function lastIdOf(items: readonly unknown[]): number | undefined {
  const last = items.at(-1);
  const id = typeof last === "object" && last !== null && "id" in last ? last.id : undefined;
  return typeof id === "number" ? id : undefined;
}

function isOffsetName(name: string): boolean {
  return name === "page" || name === "per_page";
}

/** Returns the query as sent, without the replaced pairs, ready for another pair: `a=1&b%5B%5D=2&`. */
function keepQuery(search: string, isReplaced: (name: string) => boolean): string {
  if (search === "") return "";
  const mayBeReserved = !usualQuery.test(search);
  let others = "";
  for (const pair of search.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = equals === -1 ? pair : pair.slice(0, equals);
    if (isReplaced(name.includes("%") ? decodeURIComponent(name) : name)) continue;
    const value = equals === -1 ? undefined : pair.slice(equals + 1);
    others += mayBeReserved || value?.includes("=") ? escapedPair(name, value) : `${pair}&`;
  }
  return others;
}

const escapes: Readonly<Record<string, string>> = {
  "+": "%20",
  "'": "%27",
  "(": "%28",
  ")": "%29",
  "*": "%2A",
  "!": "%21",
};

/** A query in which only a `=` inside a value must be escaped. */
const usualQuery = /^[\w.~%=&-]*$/;

function escapedPair(name: string, value: string | undefined): string {
  return value === undefined ? `${escapeReserved(name)}&` : `${escapeReserved(name)}=${escapeReserved(value)}&`;
}

/** Escapes all reserved characters, since clients split `Link` at every comma and parse its URLs strictly. */
function escapeReserved(text: string): string {
  return text.replace(/[^\w.~%-]/gu, (character) => escapes[character] ?? encodeURIComponent(character));
}
