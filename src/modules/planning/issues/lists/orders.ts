/** The orders of lists of issues. */

import type { Page } from "../../../../domain/page.ts";
import type { Store } from "../../../../store/index.ts";
import {
  byLabelPriority,
  byMilestone,
  pageByDate,
  pageOfRanks,
  type RankedOrder,
  ranked,
  type WantedPage,
} from "../../issuables/index.ts";
import type { IssueCondition, IssueScope } from "../filters/index.ts";
import { type IssueRecord, issues } from "../records.ts";
import type { OrderBy } from "./schema.ts";

/** Orders that an index has. */
const indexed = {
  created_at: "created_at",
  updated_at: "updated_at",
  title: "title",
  popularity: "popularity",
  relative_position: "relative_position",
} as const;

interface Wanted extends WantedPage<typeof issues.indexes> {
  readonly orderBy: OrderBy;
  readonly scope: IssueScope;
}

/** A page of issues in an order of 1.3; what an issue lacks comes last in both directions, the id breaks ties. */
export function pageOfIssues(store: Store, wanted: Wanted): Page<IssueRecord> {
  const { orderBy, descending, scope } = wanted;
  const inRanks = (...orders: RankedOrder<IssueRecord, IssueCondition>[]) => pageOfRanks(store, issues, orders, wanted);
  switch (orderBy) {
    case "due_date":
      return pageByDate(store, issues, "due_date", wanted);
    case "weight":
      return inRanks(byWeight(store, descending));
    case "milestone_due":
      return inRanks(byMilestone(store, descending));
    case "label_priority":
      return inRanks(byLabelPriority(store, issues, scope, descending));
    case "priority":
      return inRanks(byMilestone(store, descending), byLabelPriority(store, issues, scope, descending));
    default:
      return store.page(issues, { ...wanted, order: indexed[orderBy] });
  }
}

function byWeight(store: Store, descending: boolean): RankedOrder<IssueRecord, IssueCondition> {
  return {
    keyOf: ({ weight }) => weight ?? undefined,
    ranks() {
      const weights = [...store.of(issues).by.weight.keys()].filter((key) => typeof key === "number");
      return ranked(
        weights.sort((a, b) => a - b).map((key): IssueCondition => ({ index: "weight", key })),
        descending,
      );
    },
  };
}
