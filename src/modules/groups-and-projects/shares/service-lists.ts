import type { Static } from "@sinclair/typebox";
import type { AccessLevel } from "../../../domain/access-level.ts";
import type { Caller } from "../../../domain/caller.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Condition } from "../../../store/index.ts";
import { Access, linksInto, namespacesOf } from "../../core/access/index.ts";
import type { Context } from "../../kernel/context.ts";
import { isExpired, memberships } from "../../members/members/records.ts";
import { type GroupRecord, groups } from "../groups/records.ts";
import { groupLinks } from "./records.ts";
import type { ListInvitedGroups, ListSharedGroups } from "./schema.ts";

/** `GET /groups/:id/invited_groups`: those that were invited to the group, and to the groups above it. */
export function listInvitedGroups(
  context: Context,
  caller: Caller,
  group: GroupRecord,
  { relation = ["direct", "inherited"], ...filters }: Omit<Static<typeof ListInvitedGroups>, "id">,
  page: PageRequest,
): Page<GroupRecord> {
  const [own, ...above] = namespacesOf(context.store, { group });
  const sources = [
    ...(relation.includes("direct") && own !== undefined ? [own] : []),
    ...(relation.includes("inherited") ? above : []),
  ];
  const ids = sources.flatMap(({ id }) => linksInto(context, { type: "group", id }).map((link) => link.group_id));
  return listGroups(context, caller, ids, filters, page);
}

/** `GET /groups/:id/groups/shared`: those that the group was invited to. */
export function listSharedGroups(
  context: Context,
  caller: Caller,
  group: GroupRecord,
  filters: Omit<Static<typeof ListSharedGroups>, "id">,
  page: PageRequest,
): Page<GroupRecord> {
  const { store } = context;
  const access = context.get(Access);
  const ids = [...store.of(groupLinks).by.group_id.find(group.id)]
    .map((id) => store.of(groupLinks).get(id))
    .filter((link) => link !== undefined)
    .filter((link) => link.source_type === "group" && !isExpired(link, access.today))
    .map((link) => link.source_id);
  return listGroups(context, caller, ids, filters, page);
}

/** Groups with a membership of the user's own of at least this level: a share of the group at hand gives none. */
function ownGroups(context: Context, userId: number, level: AccessLevel): number[] {
  const rows = context.store.of(memberships);
  const { today } = context.get(Access);
  return [...rows.by.user_id.find(userId)]
    .map((id) => rows.get(id))
    .filter((row) => row !== undefined)
    .filter((row) => row.source_type === "group" && row.state === "active" && !isExpired(row, today))
    .filter((row) => row.access_level >= level)
    .map((row) => row.source_id);
}

type Filters = Omit<Static<typeof ListSharedGroups>, "id">;

/** Lists those of the groups that the caller sees. */
function listGroups(
  context: Context,
  { user }: Caller,
  ids: readonly number[],
  { search, min_access_level: level, skip_groups: skipped, visibility, order_by, sort }: Filters,
  page: PageRequest,
): Page<GroupRecord> {
  const access = context.get(Access);
  const where: Condition<typeof groups.indexes>[] = [{ ids }, { not: { index: "deletion", key: "accepted" } }];
  const visible = access.visibleGroups(user);
  if (visible !== undefined) where.push({ ids: visible });
  if (skipped !== undefined) where.push({ not: { ids: skipped } });
  if (visibility !== undefined) where.push({ index: "visibility", key: visibility });
  if (level !== undefined)
    where.push({ ids: user === undefined ? [] : ownGroups(context, user.id, level as AccessLevel) });
  const wanted = search?.trim().toLowerCase();
  const matches = wanted
    ? ({ name, path }: GroupRecord) => name.toLowerCase().includes(wanted) || path.toLowerCase().includes(wanted)
    : undefined;
  const order = order_by === undefined || order_by === "similarity" ? "name" : order_by;
  return context.store.page(groups, { where, order, descending: sort === "desc", page, matches });
}
