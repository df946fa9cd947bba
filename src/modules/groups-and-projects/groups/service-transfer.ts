import type { SignedInCaller } from "../../../domain/caller.ts";
import { invalid } from "../../../domain/failure.ts";
import { isReservedTopLevel } from "../../../domain/full-path.ts";
import { sourceKey } from "../../../domain/source.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import { Access, getGroup } from "../../core/access/index.ts";
import {
  ancestorsMax,
  groupEvents,
  isPathTaken,
  selfAndAncestors,
  updateGroupRecord,
} from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { publish } from "../../kernel/event.ts";
import { isExpired, memberships } from "../../members/members/records.ts";
import { lowerVisibilityBelow } from "./lower-visibility.ts";
import { type GroupRecord, groups, nameKey } from "./records.ts";
import { canCreateGroup, insertFirstOwner } from "./service-create.ts";
import { tooDeepText } from "./validation.ts";

/**
 * `POST /groups/:id/transfer`: under another group, or to the top level without one (groups-and-projects 2.1).
 * Visibilities above that of the new parent are lowered, with all below. Throws 404 for a target that is hidden, 400.
 */
export function transferGroup(
  context: Context,
  caller: SignedInCaller,
  group: GroupRecord,
  targetId: number | undefined,
): GroupRecord {
  const { store } = context;
  const target = targetId === undefined ? undefined : getGroup(context, caller, targetId);
  const problem = problemOf(context, caller, group, target);
  if (problem !== undefined) throw invalid(`Transfer failed: ${problem}`);
  return store.transact((tx) => {
    const now = toDateTime(context.clock.now());
    const moved = updateGroupRecord(tx, store, { ...group, parent_id: target?.id ?? null, updated_at: now });
    if (target === undefined && !hasOwner(context, group.id)) insertFirstOwner(tx, context, caller, moved);
    if (target !== undefined) lowerVisibilityBelow(tx, context, group.id);
    const after = store.of(groups).get(group.id) as GroupRecord;
    publish(tx, context, groupEvents.updated, { caller, before: group, after });
    return after;
  });
}

function problemOf(
  context: Context,
  caller: SignedInCaller,
  group: GroupRecord,
  target: GroupRecord | undefined,
): string | undefined {
  const { store } = context;
  const parentId = target?.id ?? null;
  if (group.parent_id === parentId) {
    return parentId === null ? "Group is already a root group." : "Group is already associated to the parent group.";
  }
  if (target !== undefined && selfAndAncestors(store, target.id).some(({ id }) => id === group.id)) {
    return "Cannot transfer group to one of its subgroup.";
  }
  if (!canCreateGroup(context, caller, target)) return "You don't have enough permissions.";
  if (target !== undefined && selfAndAncestors(store, target.id).length + levelsBelow(store, group.id) > ancestorsMax) {
    return `Parent ${tooDeepText}`;
  }
  if (isPathTaken(store, parentId, group.path)) {
    return "The parent group already has a subgroup or a project with the same path.";
  }
  if (parentId === null && isReservedTopLevel(group.path)) return `Path ${group.path} is a reserved name`;
  const namesakes = parentId === null ? [] : store.of(groups).by.name_in_parent.find(nameKey(parentId, group.name));
  return [...namesakes].length > 0 ? "Name has already been taken" : undefined;
}

/** The levels of groups below a group, 0 without any. */
function levelsBelow(store: Store, groupId: number): number {
  const { parent_id } = store.of(groups).by;
  let levels = -1;
  for (let level = [groupId]; level.length > 0; level = level.flatMap((id) => [...parent_id.find(id)])) levels += 1;
  return levels;
}

/** A user whose membership gives that right today. */
function hasOwner(context: Context, groupId: number): boolean {
  const { store } = context;
  return [...store.of(memberships).by.owners.find(sourceKey({ type: "group", id: groupId }))].some((id) => {
    const row = store.of(memberships).get(id);
    return row !== undefined && row.state === "active" && !isExpired(row, context.get(Access).today);
  });
}
