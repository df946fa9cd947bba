import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller } from "../../../domain/caller.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Condition } from "../../../store/index.ts";
import { Access } from "../../core/access/index.ts";
import { customAttributeConditions } from "../../core/custom-attributes/index.ts";
import { searchGroups, selfAndDescendants } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type GroupRecord, groups } from "./records.ts";
import type { ListGroups, ListSubgroups } from "./schema-parameters.ts";

type GroupCondition = Condition<typeof groups.indexes>;
type Parameters = Omit<Static<typeof ListSubgroups>, "id">;

/** `GET /groups` (groups-and-projects 2.2). */
export function listGroups(
  context: Context,
  caller: Caller,
  params: Static<typeof ListGroups>,
  page: PageRequest,
): Page<GroupRecord> {
  const where: GroupCondition[] = [];
  if (params.top_level_only === true) where.push({ index: "level", key: "top" });
  if (caller.user?.is_admin === true) {
    where.push(...customAttributeConditions(context.store, "Group", params.custom_attributes));
  }
  return pageOfGroups(context, caller, params, page, where, true);
}

/** `GET /groups/:id/subgroups`: the groups right below. */
export function listSubgroups(
  context: Context,
  caller: Caller,
  group: GroupRecord,
  params: Parameters,
  page: PageRequest,
): Page<GroupRecord> {
  return pageOfGroups(context, caller, params, page, [{ index: "parent_id", key: group.id }], false);
}

/** `GET /groups/:id/descendant_groups`: the groups on all levels below. */
export function listDescendantGroups(
  context: Context,
  caller: Caller,
  group: GroupRecord,
  params: Parameters,
  page: PageRequest,
): Page<GroupRecord> {
  const ids = selfAndDescendants(context.store, group.id).slice(1);
  return pageOfGroups(context, caller, params, page, [{ ids }], false);
}

function pageOfGroups(
  context: Context,
  caller: Caller,
  params: Parameters,
  page: PageRequest,
  scope: readonly GroupCondition[],
  isFullPathSearched: boolean,
): Page<GroupRecord> {
  const where = [...scope, ...accessConditions(context, caller, params), ...filterConditions(params)];
  const search =
    params.search === undefined ? undefined : searchGroups(context.store, params.search, isFullPathSearched);
  if (search !== undefined) where.push(search.condition);
  return context.store.page(groups, {
    where,
    ...orderOf(params),
    page,
    first: params.order_by === "similarity" ? search?.exact : undefined,
  });
}

/** The groups that a caller has here: all that are visible, or only those that the caller is a member of. */
function accessConditions(context: Context, { user }: Caller, params: Parameters): GroupCondition[] {
  const access = context.get(Access);
  const visible = access.visibleGroups(user);
  const where: GroupCondition[] = [{ not: { index: "deletion", key: "accepted" } }];
  if (user === undefined) return visible === undefined ? where : [...where, { ids: visible }];
  const isAllShown = params.all_available ?? user.is_admin;
  if (!isAllShown) where.push({ ids: access.groupsWith(user.id, accessLevels.minimal) });
  else if (visible !== undefined) where.push({ ids: visible });
  if (params.owned === true) where.push({ ids: access.groupsWith(user.id, accessLevels.owner) });
  if (params.min_access_level !== undefined) where.push({ ids: access.groupsWith(user.id, params.min_access_level) });
  return where;
}

function filterConditions({ skip_groups, visibility }: Parameters): GroupCondition[] {
  const where: GroupCondition[] = [];
  if (skip_groups !== undefined && skip_groups.length > 0) where.push({ not: { ids: skip_groups } });
  if (visibility !== undefined) where.push({ index: "visibility", key: visibility });
  return where;
}

/** Ties are broken by rising ids, also where names fall. */
function orderOf({ order_by = "name", sort = "asc" }: Parameters) {
  if (order_by === "similarity") return { order: "name", descending: false } as const;
  if (order_by === "id") return { order: "id", descending: sort === "desc" } as const;
  return { order: sort === "desc" ? (`${order_by}_backwards` as const) : order_by, descending: false };
}
