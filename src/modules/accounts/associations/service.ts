import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { forbidden } from "../../../domain/failure.ts";
import type { PageRequest } from "../../../domain/page.ts";
import { Access } from "../../core/access/index.ts";
import { getUser } from "../../core/users/index.ts";
import { type GroupRecord, groups } from "../../groups-and-projects/groups/records.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { isExpired, memberships } from "../../members/members/records.ts";
import type { AssociationsCount, ListTokenAssociations } from "./schema.ts";
import { authoredCounts } from "./service-authored.ts";

/**
 * Counts a user's direct memberships and issues (users-and-auth 14). Throws 403 for another user's by others than
 * administrators, 404 for an unknown one.
 */
export function countAssociations(
  context: Context,
  caller: SignedInCaller,
  userId: number,
): Static<typeof AssociationsCount> {
  if (!caller.user.is_admin && userId !== caller.user.id) throw forbidden();
  const { store } = context;
  const access = context.get(Access);
  getUser(store, userId);
  const count = { group: 0, project: 0 };
  for (const id of store.of(memberships).by.user_id.find(userId)) {
    const row = store.of(memberships).get(id);
    if (row === undefined || row.state !== "active" || isExpired(row, access.today)) continue;
    const source =
      row.source_type === "group" ? store.of(groups).get(row.source_id) : store.of(projects).get(row.source_id);
    if (source !== undefined && source.is_being_deleted !== true) count[row.source_type] += 1;
  }
  return { groups_count: count.group, projects_count: count.project, ...authoredCounts(context, userId) };
}

/** The groups and projects that a user is a member of in any way, each list by id (users-and-auth 17). */
export function listAssociations(
  context: Context,
  userId: number,
  { min_access_level: level = accessLevels.minimal, ...paging }: Static<typeof ListTokenAssociations>,
): { groups: readonly GroupRecord[]; projects: readonly ProjectRecord[] } {
  const { store } = context;
  const access = context.get(Access);
  const page = pageOf(paging);
  const inGroups = store.page(groups, {
    where: [{ ids: access.groupsWith(userId, level) }, { not: { index: "deletion", key: "accepted" } }],
    order: "id",
    descending: false,
    page,
  });
  const inProjects = store.page(projects, {
    where: [{ ids: access.projectsWith(userId, level) }, { not: { index: "flag", key: "deletion accepted" } }],
    order: "id",
    descending: false,
    page,
  });
  return { groups: inGroups.items, projects: inProjects.items };
}

/** Pages of all lists follow rest-conventions 7: a value out of range becomes the first page, or the usual length. */
function pageOf({ page = 1, per_page: perPage = 20 }: { page?: number; per_page?: number }): PageRequest {
  return { kind: "offset", page: Math.max(1, page), perPage: perPage < 1 ? 20 : Math.min(perPage, 100) };
}
