import { type Page, type PageRequest, totalCountMax } from "../../../domain/page.ts";
import type { Store } from "../../../store/index.ts";
import { type IssueRecord, issues, neverDue } from "../../tracker/index.ts";
import type { IssueCondition, IssueScope } from "../filters/index.ts";
import type { OrderBy } from "./parameters.ts";
import { combined, labelRanks, milestoneRanks, type Rank, weightRanks } from "./ranks.ts";

/** Orders that an index has. Nobody moves issues by hand, so their relative position is that of their making. */
const indexed = {
  created_at: "created_at",
  updated_at: "updated_at",
  title: "title",
  popularity: "popularity",
  relative_position: "id",
} as const;

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
    case "due_date": {
      if (!descending) return store.page(issues, { where, order: "due_date", descending, page });
      const undated: IssueCondition = { index: "due_date", from: neverDue, to: neverDue };
      return pageOfRanks(store, wanted, [[{ not: undated }], [undated]], "due_date");
    }
    case "weight":
      return pageOfRanks(store, wanted, weightRanks(store, descending));
    case "milestone_due":
      return pageOfRanks(store, wanted, milestoneRanks(store, descending));
    case "label_priority":
      return pageOfRanks(store, wanted, labelRanks(store, scope, descending));
    case "priority":
      return pageOfRanks(
        store,
        wanted,
        combined(milestoneRanks(store, descending), labelRanks(store, scope, descending)),
      );
    default:
      return store.page(issues, { where, order: indexed[orderBy], descending, page });
  }
}

/** Passes over whole ranks by their counts, and reads those that the page has a part of. */
function pageOfRanks(
  store: Store,
  { where, descending, page }: Wanted,
  ranks: Iterable<Rank>,
  order: "id" | "due_date" = "id",
): Page<IssueRecord> {
  const { perPage } = page;
  const total = store.count(issues, where);
  const offset = (page.page - 1) * perPage;
  const items: IssueRecord[] = [];
  let toSkip = offset;
  for (const rank of offset < total ? ranks : []) {
    const within = [...where, ...rank];
    const size = store.count(issues, within);
    if (size > toSkip) {
      const first = Math.floor(toSkip / perPage);
      // A part of a rank lies on two of its own pages.
      const both = [first + 1, first + 2].flatMap((number) => {
        const part = { kind: "offset", page: number, perPage } as const;
        return store.page(issues, { where: within, order, descending, page: part }).items;
      });
      items.push(...both.slice(toSkip - first * perPage, toSkip - first * perPage + perPage - items.length));
    }
    toSkip = Math.max(0, toSkip - size);
    if (items.length === perPage) break;
  }
  const hasNext = offset + items.length < total && items.length > 0;
  return { items, total: total > totalCountMax ? undefined : total, hasNext, next: undefined };
}
