import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { type Page, type PageRequest, totalCountMax } from "../../../domain/page.ts";
import type { Condition, Store } from "../../../store/index.ts";
import { Access } from "../../core/access/index.ts";
import { matchGroups } from "../../core/namespaces/index.ts";
import { getUser } from "../../core/users/index.ts";
import { users } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";
import { groups } from "../groups/records.ts";
import { type NamespaceRecord, namespaces } from "./records.ts";
import type { ListNamespaces } from "./schema.ts";

type NamespaceCondition = Condition<typeof namespaces.indexes>;
type Parameters = Static<typeof ListNamespaces>;

/**
 * `GET /namespaces` (groups-and-projects 4): one's own and the groups that one is a member of; all for administrators.
 * By id.
 */
export function listNamespaces(
  context: Context,
  { user }: SignedInCaller,
  params: Parameters,
  page: PageRequest,
): Page<NamespaceRecord> {
  const { store } = context;
  const access = context.get(Access);
  const where: NamespaceCondition[] = [{ not: { ids: store.of(groups).by.deletion.find("accepted") } }];
  if (!user.is_admin) {
    const level = params.owned_only === true ? accessLevels.owner : accessLevels.minimal;
    where.push({
      anyOf: [{ ids: access.groupsWith(user.id, level) }, { ids: [getUser(store, user.id).namespace_id] }],
    });
  }
  if (params.top_level_only === true) where.push({ index: "level", key: "top" });
  const search = params.search?.trim().toLowerCase();
  if (search) {
    const own = user.is_admin ? personalOf(store, search) : personalOfOne(store, user.id, search);
    where.push({ anyOf: [{ ids: matchGroups(store, search) }, { ids: own }] });
  }
  return store.page(namespaces, { where, order: "id", descending: false, page });
}

/** Personal namespaces of users with a text in name or username, as many as lists count: theirs are named the same. */
function personalOf(store: Store, search: string): number[] {
  const isPartOf = (text: string) => ({ index: "words", contains: [search], in: [text] }) as const;
  const { items } = store.page(users, {
    where: [{ anyOf: [isPartOf("name"), isPartOf("username")] }],
    order: "id",
    descending: false,
    page: { kind: "offset", page: 1, perPage: totalCountMax + 1 },
  });
  return items.map(({ namespace_id }) => namespace_id);
}

function personalOfOne(store: Store, userId: number, search: string): number[] {
  const { name, username, namespace_id } = getUser(store, userId);
  return name.toLowerCase().includes(search) || username.toLowerCase().includes(search) ? [namespace_id] : [];
}
