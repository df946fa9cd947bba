import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller } from "../../../domain/caller.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Condition } from "../../../store/index.ts";
import { Access, linksInto } from "../../core/access/index.ts";
import { selfAndAncestors, selfAndDescendants } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { GroupRecord, groups } from "../groups/records.ts";
import { pageOfLocations } from "../projects/index.ts";
import type { ProjectRecord } from "../projects/records.ts";
import { closedHierarchyOf, isSharingLocked } from "./service.ts";

/**
 * `GET /projects/:id/share_locations`: the caller's groups that a project is not in and not shared with, by path; all of
 * them for administrators, and none for callers who may not share the project.
 */
export function listShareLocations(
  context: Context,
  { user }: Caller,
  project: ProjectRecord,
  text: string | undefined,
  page: PageRequest,
): Page<GroupRecord> {
  const { store } = context;
  const access = context.get(Access);
  const mayShare =
    access.levelInProject(user, project) >= accessLevels.maintainer && !isSharingLocked(context, project);
  if (user === undefined || !mayShare) return pageOfLocations(context, [{ ids: [] }], text, page);
  const above = selfAndAncestors(store, project.namespace_id).map(({ id }) => id);
  const linked = linksInto(context, { type: "project", id: project.id }).map((link) => link.group_id);
  const where: Condition<typeof groups.indexes>[] = [{ not: { ids: [...above, ...linked] } }];
  if (!user.is_admin) where.push({ ids: access.groupsWith(user.id, accessLevels.guest) });
  const rootId = closedHierarchyOf(store, { project });
  if (rootId !== undefined) where.push({ ids: selfAndDescendants(store, rootId) });
  return pageOfLocations(context, where, text, page);
}
