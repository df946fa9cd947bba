import { accessLevels } from "../../../domain/access-level.ts";
import type { CallerUser } from "../../../domain/caller.ts";
import { Access } from "../../core/access/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type GroupSettings, groupSettingsOf, groups } from "../groups/records.ts";
import type { NamespaceRecord } from "../namespaces-api/records.ts";

const creationLevels = {
  owner: accessLevels.owner,
  maintainer: accessLevels.maintainer,
  developer: accessLevels.developer,
} as const satisfies Partial<Record<GroupSettings["project_creation_level"], number>>;

/** Whether a user may make or bring projects into a namespace: their own, or a group that lets them (members-and-access 4.7). */
export function canCreateProjectsIn(context: Context, user: CallerUser, namespace: NamespaceRecord): boolean {
  const access = context.get(Access);
  if (namespace.kind === "user") return namespace.owner_id === user.id || user.is_admin;
  const group = context.store.of(groups).get(namespace.id);
  if (group === undefined || !access.canSeeGroup(user, group)) return false;
  if (user.is_admin) return true;
  const wanted = groupSettingsOf(group).project_creation_level;
  if (wanted === "noone" || wanted === "administrator") return false;
  return access.levelInGroup(user, group.id) >= creationLevels[wanted];
}

/** Whether a user may move projects into a namespace: a group takes its maintainers, whom else it lets make projects. */
export function canTransferProjectsTo(context: Context, user: CallerUser, namespace: NamespaceRecord): boolean {
  if (!canCreateProjectsIn(context, user, namespace)) return false;
  return namespace.kind === "user" || context.get(Access).levelInGroup(user, namespace.id) >= accessLevels.maintainer;
}
