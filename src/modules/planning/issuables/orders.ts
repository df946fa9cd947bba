/** The pages of lists of issues and merge requests, in orders that an index has and in others. */

import { type Page, type PageRequest, totalCountMax } from "../../../domain/page.ts";
import { afterAllDates } from "../../../lib/datetime.ts";
import type { CollectionDeclaration, Condition, Store } from "../../../store/index.ts";
import type { RankedOrder } from "./ranks.ts";
import type { Issuable, IssuableIndexes } from "./records.ts";

/** Things up to this number are sorted; more are counted rank by rank. */
const sortedMax = 10_000;

/** A page of the things that the conditions leave. */
export interface WantedPage<D> {
  readonly where: readonly Condition<D>[];
  readonly descending: boolean;
  readonly page: Extract<PageRequest, { kind: "offset" }>;
}

/** A page in the order of an index of dates that some lack: these come last in both directions. */
export function pageByDate<T extends Issuable, D extends IssuableIndexes<T>>(
  store: Store,
  collection: CollectionDeclaration<T, D>,
  order: keyof D & string,
  { where, descending, page }: WantedPage<D>,
): Page<T> {
  if (!descending) return store.page(collection, { where, order, descending, page });
  // The index has those without a date last: read backwards, it has them first.
  return pageOfParts(store, collection, where, page, (offset, limit) => {
    const undated: Condition<D> = { index: order, from: afterAllDates, to: afterAllDates };
    const dated: Condition<D>[] = [...where, { not: undated }];
    const items = slice(store, collection, dated, order, true, offset, limit);
    const skipped = Math.max(0, offset - store.count(collection, dated));
    return [...items, ...slice(store, collection, [...where, undated], order, true, skipped, limit - items.length)];
  });
}

/** A page in orders that no index has: what one leaves open, the next decides. The id breaks ties. */
export function pageOfRanks<T extends Issuable, D extends IssuableIndexes<T>>(
  store: Store,
  collection: CollectionDeclaration<T, D>,
  orders: readonly RankedOrder<T, Condition<D>>[],
  { where, descending, page }: WantedPage<D>,
): Page<T> {
  const size = store.count(collection, where);
  return pageOfParts(store, collection, where, page, (offset, limit) =>
    inRanks({ store, collection, descending }, where, size, orders, offset, limit),
  );
}

function pageOfParts<T extends Issuable, D extends IssuableIndexes<T>>(
  store: Store,
  collection: CollectionDeclaration<T, D>,
  where: readonly Condition<D>[],
  { page, perPage }: WantedPage<D>["page"],
  part: (offset: number, limit: number) => T[],
): Page<T> {
  const total = store.count(collection, where);
  const offset = (page - 1) * perPage;
  const items = offset < total ? part(offset, perPage) : [];
  const hasNext = offset + items.length < total && items.length > 0;
  return { items, total: total > totalCountMax ? undefined : total, hasNext, next: undefined };
}

/** The list that is being ordered. */
interface Ordered<T extends Issuable, D extends IssuableIndexes<T>> {
  readonly store: Store;
  readonly collection: CollectionDeclaration<T, D>;
  readonly descending: boolean;
}

/**
 * Some things, of which there are `size`, are sorted by the keys of all orders. Many are gone through rank by rank, and a
 * rank in the same way by the other orders: so ranks before the page cost a count each, and no two orders are multiplied.
 */
function inRanks<T extends Issuable, D extends IssuableIndexes<T>>(
  list: Ordered<T, D>,
  where: readonly Condition<D>[],
  size: number,
  orders: readonly RankedOrder<T, Condition<D>>[],
  offset: number,
  limit: number,
): T[] {
  const { store, collection, descending } = list;
  const [order, ...others] = orders;
  if (order === undefined) return slice(store, collection, where, "id", descending, offset, limit);
  if (size <= sortedMax) return sorted(list, where, orders).slice(offset, offset + limit);
  const items: T[] = [];
  let toSkip = offset;
  for (const rank of order.ranks()) {
    const within = [...where, ...rank];
    const count = store.count(collection, within);
    if (count > toSkip) {
      items.push(...inRanks(list, within, count, others, toSkip, limit - items.length));
      if (items.length === limit) break;
    }
    toSkip = Math.max(0, toSkip - count);
  }
  return items;
}

function sorted<T extends Issuable, D extends IssuableIndexes<T>>(
  { store, collection, descending }: Ordered<T, D>,
  where: readonly Condition<D>[],
  orders: readonly RankedOrder<T, Condition<D>>[],
): T[] {
  const direction = descending ? -1 : 1;
  const rows = slice(store, collection, where, "id", descending, 0, sortedMax).map((issuable) => ({
    issuable,
    keys: orders.map((order) => order.keyOf(issuable)),
  }));
  rows.sort((one, other) => {
    for (const place of orders.keys()) {
      const [a, b] = [one.keys[place], other.keys[place]];
      if (a === b) continue;
      if (a === undefined) return 1;
      if (b === undefined) return -1;
      return a < b ? -direction : direction;
    }
    return 0;
  });
  return rows.map(({ issuable }) => issuable);
}

/** `limit` things from place `offset` on, in the order of an index. */
function slice<T extends Issuable, D extends IssuableIndexes<T>>(
  store: Store,
  collection: CollectionDeclaration<T, D>,
  where: readonly Condition<D>[],
  order: keyof D & string,
  descending: boolean,
  offset: number,
  limit: number,
): T[] {
  if (limit <= 0) return [];
  const perPage = limit;
  const first = Math.floor(offset / perPage);
  // A slice may be on two pages.
  const both = [first + 1, first + 2].flatMap((number) => {
    const page = { kind: "offset", page: number, perPage } as const;
    return store.page(collection, { where, order, descending, page }).items;
  });
  return both.slice(offset - first * perPage, offset - first * perPage + limit);
}
