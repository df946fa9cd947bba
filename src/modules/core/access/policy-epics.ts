import { accessLevels } from "../../../domain/access-level.ts";
import type { CallerUser } from "../../../domain/caller.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { EpicRecord } from "../../planning/epics/records.ts";
import { canReadGroup } from "./policy-features.ts";
import { Access, type AccessPolicy } from "./service.ts";

type User = CallerUser | undefined;

/** Whether the user may read an epic: as what is in its group, and a confidential one is for planners and above. */
export function canReadEpic(context: Context, user: User, epic: EpicRecord): boolean {
  const access = context.get(Access);
  const group = context.store.of(groups).get(epic.group_id);
  if (group === undefined || !canReadGroup(context, user, group)) return false;
  return !epic.confidential || canReadConfidentialEpics(access, user, group.id);
}

export function canReadConfidentialEpics(access: AccessPolicy, user: User, groupId: number): boolean {
  return user?.is_auditor === true || access.levelInGroup(user, groupId) >= accessLevels.planner;
}
