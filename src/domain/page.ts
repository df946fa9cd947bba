import { requestPace } from "./work-budget.ts";

/** Totals are counted up to this many and one more (rest-conventions 7): beyond it, the headers leave them out. */
export const totalCountMax = 10_000;

/** The place in an ordered list after which a keyset page starts: the order's own key, and the id that breaks ties. */
export interface Position {
  readonly key: string | number;
  readonly id: number;
}

/** The requested part of a list (rest-conventions 7). `page` starts at 1; `perPage` is 1 to 100. */
export type PageRequest =
  | { readonly kind: "offset"; readonly page: number; readonly perPage: number }
  | { readonly kind: "keyset"; readonly after: Position | undefined; readonly perPage: number };

/** One part of a list, in its order. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Offset only: how many there are in all; undefined above `totalCountMax`. */
  readonly total: number | undefined;
  readonly hasNext: boolean;
  /** Keyset only: where the next page starts; undefined on the last page. */
  readonly next: Position | undefined;
}

/** A list of which parts are made when they are asked for. */
export type Sliced<T> = Pick<readonly T[], "length" | "slice">;

/** The same list from its end. */
export function reversed<T>(all: Sliced<T>): Sliced<T> {
  const { length } = all;
  return { length, slice: (start = 0, end = length) => all.slice(Math.max(length - end, 0), length - start).reverse() };
}

/** One offset page of a list that is at hand whole: for the few things of one owner that no index orders. */
export function pageOfAll<T>(all: Sliced<T>, request: PageRequest): Page<T> {
  const page = request.kind === "offset" ? request.page : 1;
  const start = (page - 1) * request.perPage;
  const items = all.slice(start, start + request.perPage);
  const total = all.length > totalCountMax ? undefined : all.length;
  return { items, total, hasNext: start + request.perPage < all.length, next: undefined };
}

/** The same page with each item presented. */
export function mapPage<T, U>(page: Page<T>, present: (item: T) => U): Page<U> {
  return { ...page, items: page.items.map(present) };
}

/** The same for items that take long: others have their turn in between. */
export async function mapPageInTurns<T, U>(page: Page<T>, present: (item: T) => U): Promise<Page<U>> {
  const pace = requestPace();
  const items: U[] = [];
  for (const item of page.items) {
    items.push(present(item));
    await pace();
  }
  return { ...page, items };
}
