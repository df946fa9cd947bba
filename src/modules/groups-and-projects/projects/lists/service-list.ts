import type { Static, TObject } from "@sinclair/typebox";
import { type AccessLevel, accessLevels } from "../../../../domain/access-level.ts";
import type { Caller } from "../../../../domain/caller.ts";
import { invalid } from "../../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../../domain/page.ts";
import { Access } from "../../../core/access/index.ts";
import { customAttributeConditions } from "../../../core/custom-attributes/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { type ProjectRecord, projects } from "../records.ts";
import { type ListGroupProjects, type ListProjects, sizeOrders } from "../schema-parameters.ts";
import { starredBy } from "../service-stars.ts";
import { type ProjectCondition, searchProjects } from "./service-search.ts";

type GroupParameters = Static<TObject<typeof ListGroupProjects>>;
type Parameters = Static<TObject<typeof ListProjects>>;

/** Throws 400 for `updated_*` with another order: the list of all projects takes them together. */
export function requirePairedOrder({ updated_after, updated_before, order_by }: Parameters): void {
  if ((updated_after !== undefined || updated_before !== undefined) && order_by !== "updated_at") {
    throw invalid("400 Bad request - `updated_at` filter and `updated_at` sorting must be paired");
  }
}

/**
 * The projects that the caller sees, as the parameters want them (groups-and-projects 3.2): `GET /projects`, and with
 * `scope` those of a user. Every filter is answered by an index. Sizes are no order for others than administrators, and
 * similarity is one for signed-in callers who search, among the projects that they are members of.
 */
export function listProjects(
  context: Context,
  caller: Caller,
  params: Parameters,
  page: PageRequest,
  scope: readonly ProjectCondition[] = [],
): Page<ProjectRecord> {
  const { user } = caller;
  const { order_by: wanted, search } = params;
  const isBySimilarity = wanted === "similarity" && user !== undefined && (search ?? "").trim() !== "";
  const isBySize = sizeOrders.some((order) => order === wanted);
  const isKnown = wanted === "similarity" ? isBySimilarity : !isBySize || user?.is_admin === true;
  const where: ProjectCondition[] = [...scope, ...ownConditions(context, caller, params)];
  if (isBySimilarity) where.push({ ids: context.get(Access).projectsWith(user.id, accessLevels.guest) });
  const { order_by: _, ...others } = params;
  return listGroupProjects(context, caller, isKnown ? params : others, page, where);
}

/** Does what `listProjects` does, with the additional parameters of lists of a group's projects (2.5). */
export function listGroupProjects(
  context: Context,
  caller: Caller,
  params: Omit<GroupParameters, "order_by"> & Pick<Parameters, "order_by" | "search_namespaces">,
  page: PageRequest,
  scope: readonly ProjectCondition[],
): Page<ProjectRecord> {
  const { store } = context;
  const access = context.get(Access);
  const visible = access.visibleProjects(caller.user);
  const search =
    params.search === undefined ? undefined : searchProjects(store, params.search, params.search_namespaces === true);
  const where: ProjectCondition[] = [
    ...(visible === undefined ? [] : [{ ids: visible }]),
    { not: { index: "flag", key: "deletion accepted" } },
    ...scope,
    ...sharedConditions(context, caller, params),
    ...(search?.where ?? []),
  ];
  const { order_by = "created_at", sort = "desc" } = params;
  const query = { where, descending: sort === "desc", page, matches: search?.matches };
  if (order_by !== "similarity") return store.page(projects, { ...query, order: order_by });
  if (search === undefined) return store.page(projects, { ...query, order: "name", descending: false });
  return store.page(projects, { ...query, order: "name", descending: false, first: search.exact });
}

const nothing: ProjectCondition = { ids: [] };

/** Conditions of every list; those about the caller match nothing for anonymous callers. */
function sharedConditions(context: Context, { user }: Caller, params: GroupParameters | Parameters) {
  const { store } = context;
  const where: ProjectCondition[] = [];
  const mine = (level: AccessLevel) =>
    user === undefined ? nothing : { ids: context.get(Access).projectsWith(user.id, level) };
  if (params.archived === true) where.push({ index: "flag", key: "archived" });
  if (params.archived === false) where.push({ not: { index: "flag", key: "archived" } });
  if (params.visibility !== undefined) where.push({ index: "visibility", key: params.visibility });
  if (params.owned === true) where.push(mine(accessLevels.owner));
  if (params.min_access_level !== undefined) where.push(mine(params.min_access_level));
  if (params.starred === true) where.push(user === undefined ? nothing : { ids: starredBy(store, user.id) });
  for (const [isWanted, name] of [
    [params.with_issues_enabled, "issues"],
    [params.with_merge_requests_enabled, "merge requests"],
  ] as const) {
    if (isWanted !== true) continue;
    where.push({ not: { index: "flag", key: `${name} disabled` } });
    const isOpenToAll = user?.is_admin === true || user?.is_auditor === true;
    if (!isOpenToAll)
      where.push({ anyOf: [{ not: { index: "flag", key: `${name} private` } }, mine(accessLevels.guest)] });
  }
  if (user?.is_admin === true) where.push(...customAttributeConditions(store, "Project", params.custom_attributes));
  return where;
}

/** Conditions that only `GET /projects` and `GET /users/:user_id/projects` have. */
function ownConditions(context: Context, { user }: Caller, params: Parameters): ProjectCondition[] {
  const where: ProjectCondition[] = [];
  if (params.membership === true) {
    where.push(user === undefined ? nothing : { ids: context.get(Access).projectsWith(user.id, accessLevels.guest) });
  }
  if (params.imported === true) where.push({ index: "flag", key: "imported" });
  for (const topic of params.topic ?? []) where.push({ index: "topic", key: topic.toLowerCase() });
  // There are no records of topics, and languages are not counted.
  if (params.topic_id !== undefined || params.with_programming_language) where.push(nothing);
  if (params.id_after !== undefined) where.push({ index: "id", from: params.id_after + 1, to: undefined });
  if (params.id_before !== undefined) where.push({ index: "id", from: undefined, to: params.id_before - 1 });
  for (const [index, from, to] of [
    ["last_activity_at", params.last_activity_after, params.last_activity_before],
    ["updated_at", params.updated_after, params.updated_before],
  ] as const) {
    if (from !== undefined || to !== undefined) where.push({ index, from, to });
  }
  if (user?.is_admin === true && params.repository_storage) {
    where.push({ index: "repository_storage", key: params.repository_storage });
  }
  return where;
}
