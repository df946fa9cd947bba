import { requestPace } from "./work-budget.ts";

/** The largest counted total (rest-conventions 7). Above it, the headers leave out totals. */
export const totalCountMax = 10_000;

/** The position in an ordered list after which a keyset page starts: the order's key, and the id that breaks ties. */
export interface Position {
  readonly key: string | number;
  readonly id: number;
}

/** A requested page of a list (rest-conventions 7). `page` starts at 1; `perPage` is 1 to 100. */
export type PageRequest =
  | { readonly kind: "offset"; readonly page: number; readonly perPage: number }
  | { readonly kind: "keyset"; readonly after: Position | undefined; readonly perPage: number };

/** A page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** For offset pages: the number of all entries; undefined above `totalCountMax`. */
  readonly total: number | undefined;
  readonly hasNext: boolean;
  /** For keyset pages: the position where the next page starts; undefined on the last page. */
  readonly next: Position | undefined;
}

/** A list that can make its parts on demand. */
export type Sliced<T> = Pick<readonly T[], "length" | "slice">;

/** Returns the list in reverse order. */
export function reversed<T>(all: Sliced<T>): Sliced<T> {
  const { length } = all;
  return {
    length,
    slice: (start = 0, end = length) => all.slice(Math.max(length - end, 0), Math.max(length - start, 0)).reverse(),
  };
}

/** Returns one offset page of a complete list, for the few entries of an owner that no index orders. */
export function pageOfAll<T>(all: Sliced<T>, request: PageRequest): Page<T> {
  const page = request.kind === "offset" ? request.page : 1;
  const start = (page - 1) * request.perPage;
  const items = all.slice(start, start + request.perPage);
  const total = all.length > totalCountMax ? undefined : all.length;
  return { items, total, hasNext: start + request.perPage < all.length, next: undefined };
}

/** Returns the page with each item presented. */
export function mapPage<T, U>(page: Page<T>, present: (item: T) => U): Page<U> {
  return { ...page, items: page.items.map(present) };
}

/** Returns the page with each item presented, with pauses for other work. */
export async function mapPageInTurns<T, U>(page: Page<T>, present: (item: T) => U): Promise<Page<U>> {
  const pace = requestPace();
  const items: U[] = [];
  for (const item of page.items) {
    items.push(present(item));
    await pace();
  }
  return { ...page, items };
}
