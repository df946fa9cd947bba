import type { Caller } from "../../../../domain/caller.ts";
import type { Page, PageRequest } from "../../../../domain/page.ts";
import type { Store } from "../../../../store/index.ts";
import type { Context } from "../../../kernel/context.ts";
import {
  byLabelPriority,
  byMilestone,
  pageByDate,
  pageOfRanks,
  type WantedPage,
} from "../../../planning/issuables/index.ts";
import type { IssuableScope } from "../../../planning/issuables/records.ts";
import { type MergeRequestRecord, mergeRequests } from "../records.ts";
import { mergeRequestConditions } from "./conditions.ts";
import type { ListParameters, OrderBy } from "./schema.ts";

/** Orders that an index has. */
const indexed = {
  created_at: "created_at",
  updated_at: "updated_at",
  title: "title",
  popularity: "popularity",
} as const;

/** The merge requests of a scope that the caller may read, as the parameters want them (merge-requests 2). */
export function listMergeRequests(
  context: Context,
  caller: Caller,
  params: ListParameters,
  scope: IssuableScope,
  page: PageRequest,
): Page<MergeRequestRecord> {
  if (page.kind !== "offset") throw new Error("lists of merge requests have offset pages");
  const { order_by = "created_at", sort = "desc" } = params;
  const where = mergeRequestConditions(context, caller, params, scope);
  return pageOfMergeRequests(context.store, order_by, scope, { where, descending: sort === "desc", page });
}

/** A page in an order; what a merge request lacks comes last in both directions, the id breaks ties. */
export function pageOfMergeRequests(
  store: Store,
  orderBy: OrderBy,
  scope: IssuableScope,
  wanted: WantedPage<typeof mergeRequests.indexes>,
): Page<MergeRequestRecord> {
  const { descending } = wanted;
  const milestones = () => byMilestone(store, descending);
  const priorities = () => byLabelPriority(store, mergeRequests, scope, descending);
  switch (orderBy) {
    case "merged_at":
      return pageByDate(store, mergeRequests, "merged_at", wanted);
    case "milestone_due":
      return pageOfRanks(store, mergeRequests, [milestones()], wanted);
    case "label_priority":
      return pageOfRanks(store, mergeRequests, [priorities()], wanted);
    case "priority":
      return pageOfRanks(store, mergeRequests, [milestones(), priorities()], wanted);
    default:
      return store.page(mergeRequests, { ...wanted, order: indexed[orderBy] });
  }
}
