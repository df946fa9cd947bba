import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller } from "../../../domain/caller.ts";
import { forbidden } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { Access } from "../../core/access/index.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { removeRecord, updateRecord } from "../../kernel/record-events.ts";
import { unlinkEverywhere } from "../pending-unlinks/index.ts";
import { milestoneEvents } from "./events.ts";
import type { MilestoneRecord } from "./records.ts";
import { nextIid } from "./service.ts";
import { findOwnMilestone, milestonesInProjectsOf } from "./service-titles.ts";

/**
 * `POST /projects/:id/milestones/:milestone_id/promote`: the project's milestone becomes one of its group, and those of
 * the same title in the group's other projects become part of it. Throws 403, for a project outside of groups too.
 */
export function promoteMilestone(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  milestone: MilestoneRecord,
): MilestoneRecord {
  const { store, clock } = context;
  const access = context.get(Access);
  const group = store.of(groups).get(project.namespace_id);
  if (group === undefined) throw forbidden();
  if (access.levelInGroup(caller.user, group.id) < accessLevels.planner) throw forbidden();
  const source = { type: "group", id: group.id } as const;
  const there = findOwnMilestone(store, source, milestone.title);
  const sameTitle = milestonesInProjectsOf(store, group.id, milestone.title);
  return store.transact((tx) => {
    const promoted =
      there ??
      updateRecord(tx, context, caller, milestoneEvents, {
        ...milestone,
        iid: nextIid(tx, source),
        source_type: "group",
        source_id: group.id,
        updated_at: toDateTime(clock.now()),
      });
    for (const { id } of sameTitle) {
      if (id === promoted.id) continue;
      unlinkEverywhere(tx, context, "milestone", id, promoted.id);
      removeRecord(tx, context, caller, milestoneEvents, id);
    }
    return promoted;
  });
}
