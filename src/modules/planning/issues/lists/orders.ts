/** The orders of lists of issues. */

import { type Page, type PageRequest, totalCountMax } from "../../../../domain/page.ts";
import { afterAllDates } from "../../../../lib/datetime.ts";
import type { Store } from "../../../../store/index.ts";
import type { IssueCondition, IssueScope } from "../filters/index.ts";
import { type IssueRecord, issues } from "../records.ts";
import { byLabelPriority, byMilestone, byWeight, type RankedOrder } from "./ranks.ts";
import type { OrderBy } from "./schema.ts";

/** Orders that an index has. */
const indexed = {
  created_at: "created_at",
  updated_at: "updated_at",
  title: "title",
  popularity: "popularity",
  relative_position: "relative_position",
} as const;

/** Issues up to this number are sorted; more are counted rank by rank. */
const sortedMax = 10_000;

interface Wanted {
  readonly where: readonly IssueCondition[];
  readonly orderBy: OrderBy;
  readonly descending: boolean;
  readonly scope: IssueScope;
  readonly page: Extract<PageRequest, { kind: "offset" }>;
}

/** A page of issues in an order of 1.3; what an issue lacks comes last in both directions, the id breaks ties. */
export function pageOfIssues(store: Store, wanted: Wanted): Page<IssueRecord> {
  const { where, orderBy, descending, scope, page } = wanted;
  switch (orderBy) {
    case "due_date":
      return descending
        ? latestDueFirst(store, wanted)
        : store.page(issues, { where, order: "due_date", descending, page });
    case "weight":
      return pageOfRanks(store, wanted, [byWeight(store, descending)]);
    case "milestone_due":
      return pageOfRanks(store, wanted, [byMilestone(store, descending)]);
    case "label_priority":
      return pageOfRanks(store, wanted, [byLabelPriority(store, scope, descending)]);
    case "priority":
      return pageOfRanks(store, wanted, [byMilestone(store, descending), byLabelPriority(store, scope, descending)]);
    default:
      return store.page(issues, { where, order: indexed[orderBy], descending, page });
  }
}

/** The index has issues without a due date last: read backwards, it has them first. */
function latestDueFirst(store: Store, { where, page }: Wanted): Page<IssueRecord> {
  const undated: IssueCondition = { index: "due_date", from: afterAllDates, to: afterAllDates };
  return pageOfParts(store, where, page, (offset, limit) => {
    const dated: IssueCondition[] = [...where, { not: undated }];
    const items = slice(store, dated, "due_date", true, offset, limit);
    const skipped = Math.max(0, offset - store.count(issues, dated));
    return [...items, ...slice(store, [...where, undated], "due_date", true, skipped, limit - items.length)];
  });
}

function pageOfRanks(
  store: Store,
  { where, descending, page }: Wanted,
  orders: readonly RankedOrder[],
): Page<IssueRecord> {
  const size = store.count(issues, where);
  return pageOfParts(store, where, page, (offset, limit) =>
    inRanks(store, where, size, orders, descending, offset, limit),
  );
}

function pageOfParts(
  store: Store,
  where: readonly IssueCondition[],
  { page, perPage }: Wanted["page"],
  part: (offset: number, limit: number) => IssueRecord[],
): Page<IssueRecord> {
  const total = store.count(issues, where);
  const offset = (page - 1) * perPage;
  const items = offset < total ? part(offset, perPage) : [];
  const hasNext = offset + items.length < total && items.length > 0;
  return { items, total: total > totalCountMax ? undefined : total, hasNext, next: undefined };
}

/**
 * Some issues, of which there are `size`, are sorted by the keys of all orders. Many are gone through rank by rank, and a
 * rank in the same way by the other orders: so ranks before the page cost a count each, and no two orders are multiplied.
 */
function inRanks(
  store: Store,
  where: readonly IssueCondition[],
  size: number,
  orders: readonly RankedOrder[],
  descending: boolean,
  offset: number,
  limit: number,
): IssueRecord[] {
  const [order, ...others] = orders;
  if (order === undefined) return slice(store, where, "id", descending, offset, limit);
  if (size <= sortedMax) return sorted(store, where, orders, descending).slice(offset, offset + limit);
  const items: IssueRecord[] = [];
  let toSkip = offset;
  for (const rank of order.ranks()) {
    const within = [...where, ...rank];
    const count = store.count(issues, within);
    if (count > toSkip) {
      items.push(...inRanks(store, within, count, others, descending, toSkip, limit - items.length));
      if (items.length === limit) break;
    }
    toSkip = Math.max(0, toSkip - count);
  }
  return items;
}

function sorted(
  store: Store,
  where: readonly IssueCondition[],
  orders: readonly RankedOrder[],
  descending: boolean,
): IssueRecord[] {
  const direction = descending ? -1 : 1;
  const rows = slice(store, where, "id", descending, 0, sortedMax).map((issue) => ({
    issue,
    keys: orders.map((order) => order.keyOf(issue)),
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
  return rows.map(({ issue }) => issue);
}

/** `limit` issues from place `offset` on, in the order of an index. */
function slice(
  store: Store,
  where: readonly IssueCondition[],
  order: "id" | "due_date",
  descending: boolean,
  offset: number,
  limit: number,
): IssueRecord[] {
  if (limit <= 0) return [];
  const perPage = limit;
  const first = Math.floor(offset / perPage);
  // A slice may be on two pages.
  const both = [first + 1, first + 2].flatMap((number) => {
    const page = { kind: "offset", page: number, perPage } as const;
    return store.page(issues, { where, order, descending, page }).items;
  });
  return both.slice(offset - first * perPage, offset - first * perPage + limit);
}
