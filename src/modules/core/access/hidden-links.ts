/** The invited groups that a caller must not learn of. */

import type { Caller } from "../../../domain/caller.ts";
import type { SourceRef } from "../../../domain/source.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import type { Context } from "../../kernel/context.ts";
import { Access } from "./service.ts";
import { linksInto } from "./service-shares.ts";
import { namespacesOf, refOf, type Source } from "./service-source.ts";

/**
 * Ids of the shares whose members the caller may not know of (members-and-access 4.1, rule 5): members of an invited
 * group show to its own members, to members of the source, to administrators, and to all when it is public.
 */
export function hiddenLinksOf(context: Context, caller: Caller, source: Source): ReadonlySet<number> {
  const hidden = new Set<number>();
  for (const link of isInside(context, caller, source) ? [] : linksAround(context, source)) {
    const group = context.store.of(groups).get(link.group_id);
    const level = caller.user === undefined ? 0 : context.get(Access).memberLevelInGroup(caller.user.id, link.group_id);
    if (group?.visibility !== "public" && level === 0) hidden.add(link.id);
  }
  return hidden;
}

function isInside(context: Context, { user }: Caller, source: Source): boolean {
  const access = context.get(Access);
  if (user === undefined) return false;
  if (user.is_admin) return true;
  return "group" in source
    ? access.memberLevelInGroup(user.id, source.group.id) > 0
    : access.memberLevelInProject(user.id, source.project) > 0;
}

function linksAround(context: Context, source: Source) {
  const above = namespacesOf(context.store, source).map(({ id }): SourceRef => ({ type: "group", id }));
  const around = "project" in source ? [refOf(source), ...above] : above;
  return around.flatMap((each) => linksInto(context, each));
}
