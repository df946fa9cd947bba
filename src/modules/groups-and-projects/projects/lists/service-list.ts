import type { Static, TObject } from "@sinclair/typebox";
import { type AccessLevel, accessLevels } from "../../../../domain/access-level.ts";
import type { Caller } from "../../../../domain/caller.ts";
import { invalid } from "../../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../../domain/page.ts";
import { Access } from "../../../core/access/index.ts";
import { customAttributeConditions } from "../../../core/custom-attributes/index.ts";
import { type ProjectRecord, projects } from "../../../core/namespaces/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { starredBy } from "../records-stars.ts";
import type { ListGroupProjects, ListProjects } from "../schema-parameters.ts";
import { type ProjectCondition, searchProjects } from "./service-search.ts";

type GroupParameters = Static<TObject<typeof ListGroupProjects>>;
type Parameters = Static<TObject<typeof ListProjects>>;

/**
 * The projects that the caller sees, as the parameters want them (groups-and-projects 3.2): `GET /projects`, and with
 * `scope` those of a user or a group. Every filter is answered by an index. Throws 400 for `updated_*` with another order.
 */
export function listProjects(
  context: Context,
  caller: Caller,
  params: Parameters,
  page: PageRequest,
  scope: readonly ProjectCondition[] = [],
): Page<ProjectRecord> {
  const { updated_after, updated_before, order_by } = params;
  if ((updated_after !== undefined || updated_before !== undefined) && order_by !== "updated_at") {
    throw invalid("400 Bad request - `updated_at` filter and `updated_at` sorting must be paired");
  }
  return listGroupProjects(context, caller, params, page, [...scope, ...ownConditions(context, caller, params)]);
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
  if (search === undefined) return store.page(projects, { ...query, order: "created_at" });
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
  if (params.with_issues_enabled === true) where.push({ not: { index: "flag", key: "issues disabled" } });
  if (params.with_merge_requests_enabled === true) {
    where.push({ not: { index: "flag", key: "merge requests disabled" } });
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
