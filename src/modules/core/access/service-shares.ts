import { accessLevels } from "../../../domain/access-level.ts";
import { type SourceRef, sourceKey } from "../../../domain/source.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import { type GroupLinkRecord, groupLinks } from "../../groups-and-projects/shares/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { View } from "../../kernel/view.ts";
import { isExpired } from "../../members/members/records.ts";
import { fullPathOf } from "../namespaces/index.ts";
import { Access } from "./service.ts";

/** The shares of a group or project that are not over, oldest first. */
export function linksInto(context: Context, source: SourceRef): GroupLinkRecord[] {
  const { store } = context;
  return [...store.of(groupLinks).by.source.find(sourceKey(source))]
    .map((id) => store.of(groupLinks).get(id))
    .filter((link) => link !== undefined)
    .filter((link) => !isExpired(link, context.get(Access).today))
    .sort((one, other) => one.id - other.id);
}

/** Ids of the projects that a group was invited to, by shares that are not over. */
export function projectsSharedWith(context: Context, groupId: number): ReadonlySet<number> {
  const { store } = context;
  const ids = new Set<number>();
  for (const linkId of store.of(groupLinks).by.group_id.find(groupId)) {
    const link = store.of(groupLinks).get(linkId);
    if (link?.source_type === "project" && !isExpired(link, context.get(Access).today)) ids.add(link.source_id);
  }
  return ids;
}

/**
 * `shared_with_groups` of a group or project (members-and-access 5): invited groups that the caller does not see are
 * left out, except for owners of the source.
 */
export function presentSharedWithGroups(source: SourceRef, { context, caller }: View) {
  const { store } = context;
  const access = context.get(Access);
  const isOwner = access.levelIn(caller.user, source) >= accessLevels.owner;
  return linksInto(context, source).flatMap((link) => {
    const group = store.of(groups).get(link.group_id);
    if (group === undefined || !(isOwner || access.canSeeGroup(caller.user, group))) return [];
    return [
      {
        group_id: group.id,
        group_name: group.name,
        group_full_path: fullPathOf(store, group.id),
        group_access_level: link.group_access,
        expires_at: link.expires_at,
      },
    ];
  });
}
