import type { Caller } from "../../../../domain/caller.ts";
import { includesTier } from "../../../../domain/edition.ts";
import { Failure } from "../../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../../domain/page.ts";
import type { Context } from "../../../kernel/context.ts";
import { ReadableIssues } from "../../readable-issues/index.ts";
import { type IssueCondition, type IssueScope, issueConditions } from "../filters/index.ts";
import type { IssueRecord } from "../records.ts";
import { whereDue } from "./due-date.ts";
import { pageOfIssues } from "./orders.ts";
import type { ListParameters } from "./schema.ts";

/**
 * The issues of a scope that the caller may read, as the parameters of 1.3 want them. Throws 400 for an order that the
 * edition does not have.
 */
export function listIssues(
  context: Context,
  caller: Caller,
  params: ListParameters,
  scope: IssueScope,
  page: PageRequest,
): Page<IssueRecord> {
  if (page.kind !== "offset") throw new Error("lists of issues have offset pages");
  const { order_by: orderBy = "created_at", sort = "desc", label_name, milestone_title } = params;
  if (orderBy === "weight" && !includesTier(context.edition, "premium")) {
    const error = "order_by does not have a valid value";
    throw new Failure("parameters", { error, message: error });
  }
  const filters = {
    ...params,
    ...(params.labels === undefined && label_name !== undefined ? { labels: label_name } : {}),
    ...(params.milestone === undefined && milestone_title !== undefined ? { milestone: milestone_title } : {}),
  };
  const where = [...issueConditions(context, caller, filters, scope), ...listConditions(context, params)];
  return pageOfIssues(context.store, { where, orderBy, descending: sort === "desc", scope, page });
}

/** The filters of lists that statistics do not have. */
function listConditions(context: Context, params: ListParameters): IssueCondition[] {
  const where: IssueCondition[] = [];
  const { state, due_date, issue_type, closed_by_id, non_archived } = params;
  if (state !== undefined && state !== "all") where.push({ index: "state", key: state });
  if (due_date !== undefined) where.push(whereDue(due_date, context.clock.now()));
  if (issue_type !== undefined) where.push({ index: "issue_type", key: issue_type });
  if (closed_by_id !== undefined) where.push({ index: "closed_by_id", key: closed_by_id });
  if (non_archived === true) where.push({ not: { ids: context.get(ReadableIssues).withTrait("archived") } });
  return where;
}
