import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller } from "../../../domain/caller.ts";
import { invalid } from "../../../domain/failure.ts";
import { Access } from "../../core/access/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import type { Context } from "../../kernel/context.ts";

/** Throws the 400 of the operations that only owners have, and only in top-level groups (members-and-access 6). */
export function requireTopLevelOwner(
  context: Context,
  { user }: Caller,
  group: GroupRecord,
  { subgroup = "400 Bad request", stranger = "400 Bad request" }: { subgroup?: string; stranger?: string } = {},
): void {
  if (group.parent_id !== null) throw invalid(subgroup);
  if (context.get(Access).levelInGroup(user, group.id) < accessLevels.owner) throw invalid(stranger);
}
