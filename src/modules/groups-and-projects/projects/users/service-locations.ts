import { accessLevels } from "../../../../domain/access-level.ts";
import type { Caller } from "../../../../domain/caller.ts";
import type { Page, PageRequest } from "../../../../domain/page.ts";
import type { Condition } from "../../../../store/index.ts";
import { Access } from "../../../core/access/index.ts";
import { searchGroups } from "../../../core/namespaces/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { type GroupRecord, groups } from "../../groups/records.ts";
import { namespaces } from "../../namespaces-api/records.ts";
import { canTransferProjectsTo } from "../policy.ts";
import type { ProjectRecord } from "../records.ts";

/** `GET /projects/:id/transfer_locations`: the caller's groups that would take the project, by path. */
export function listTransferLocations(
  context: Context,
  { user }: Caller,
  project: ProjectRecord,
  text: string | undefined,
  page: PageRequest,
): Page<GroupRecord> {
  const { store } = context;
  const mine = user === undefined ? [] : context.get(Access).groupsWith(user.id, accessLevels.maintainer);
  const matches = ({ id }: GroupRecord) => {
    const namespace = store.of(namespaces).get(id);
    return user !== undefined && namespace !== undefined && canTransferProjectsTo(context, user, namespace);
  };
  return pageOfLocations(context, [{ ids: mine }, { not: { ids: [project.namespace_id] } }], text, page, matches);
}

/** The groups of a condition that a search text finds, by path. */
export function pageOfLocations(
  { store }: Context,
  scope: readonly Condition<typeof groups.indexes>[],
  text: string | undefined,
  page: PageRequest,
  matches?: (group: GroupRecord) => boolean,
): Page<GroupRecord> {
  const search = text === undefined ? undefined : searchGroups(store, text, false);
  const found = search === undefined ? [] : [search.condition];
  const where = [...scope, ...found, { not: { index: "deletion", key: "accepted" } } as const];
  return store.page(groups, { where, order: "path", descending: false, page, matches });
}
