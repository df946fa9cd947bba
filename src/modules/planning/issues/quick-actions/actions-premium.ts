/** The quick actions of issues that need a paid edition. */

import { accessLevels } from "../../../../domain/access-level.ts";
import { includesTier } from "../../../../domain/edition.ts";
import { pathLengthMax } from "../../../../domain/parameters.ts";
import { Access } from "../../../core/access/index.ts";
import { groups } from "../../../groups-and-projects/groups/records.ts";
import { epics } from "../../epics/records.ts";
import type { ActionTarget, QuickAction } from "../../quick-actions/index.ts";
import { canJoinEpic } from "../changes/metadata.ts";
import { healthStatuses, type IssueRecord } from "../records.ts";
import { findEpicByReference } from "../references/index.ts";

type IssueTarget = ActionTarget<IssueRecord>;
type IssueAction = QuickAction<IssueTarget>;

const isThere = ({ subject }: IssueTarget) => subject !== undefined;

function hasEpics({ context }: IssueTarget): boolean {
  return includesTier(context.edition, "premium");
}

function hasHealth({ context, rights }: IssueTarget): boolean {
  return includesTier(context.edition, "ultimate") && rights.canSetMetadata;
}

/** Epics, weights and health. */
export const premiumActions: readonly IssueAction[] = [
  {
    names: ["epic"],
    needsArgument: true,
    argumentLengthMax: pathLengthMax,
    isAvailable: (target) => target.rights.canSetMetadata && hasEpics(target),
    run({ context, caller, project, state, updates }, argument) {
      const epic = findEpicByReference(context, project, argument);
      if (epic === undefined || !canJoinEpic(context, caller, project, epic)) {
        return "This epic does not exist or you don't have sufficient permission.";
      }
      if (epic.id === state.epic_id) return `Issue #${state.iid} has already been added to epic &${epic.iid}.`;
      updates.epic_id = epic.id;
      return "Added an issue to an epic.";
    },
  },
  {
    names: ["remove_epic"],
    isAvailable: (target) => isThere(target) && target.rights.canSetMetadata && hasEpics(target) && isInEpic(target),
    run({ updates }) {
      updates.epic_id = null;
      return "Removed an issue from an epic.";
    },
  },
  {
    names: ["promote"],
    isAvailable: (target) =>
      isThere(target) && hasEpics(target) && target.state.promoted_to_epic_id === undefined && canPromote(target),
    run({ updates }) {
      updates.promote_to_epic = true;
      return "Promoted issue to an epic.";
    },
  },
  {
    names: ["health_status"],
    needsArgument: true,
    isAvailable: hasHealth,
    run({ updates }, argument) {
      const status = healthStatuses.find((each) => each === argument.toLowerCase());
      if (status === undefined) return undefined;
      updates.health_status = status;
      return `Set health status to ${status}.`;
    },
  },
  {
    names: ["clear_health_status"],
    isAvailable: (target) => isThere(target) && hasHealth(target) && target.state.health_status != null,
    run({ updates }) {
      updates.health_status = null;
      return "Cleared health status.";
    },
  },
  {
    names: ["weight"],
    needsArgument: true,
    isAvailable: (target) => target.rights.canSetMetadata && hasWeight(target),
    run({ updates }, argument) {
      if (!/^\d{1,9}$/.test(argument)) return undefined;
      updates.weight = Number(argument);
      return `Set weight to ${updates.weight}.`;
    },
  },
  {
    names: ["clear_weight"],
    isAvailable: (target) =>
      isThere(target) && target.rights.canSetMetadata && hasWeight(target) && target.state.weight !== null,
    run({ updates }) {
      updates.weight = null;
      return "Cleared weight.";
    },
  },
];

function isInEpic({ context, state }: IssueTarget): boolean {
  return state.epic_id !== null && context.store.of(epics).get(state.epic_id) !== undefined;
}

/** Whether the caller may make epics in the group of the project. */
function canPromote({ context, caller, project, rights }: IssueTarget): boolean {
  const group = context.store.of(groups).get(project.namespace_id);
  if (group === undefined || !rights.canAdminister) return false;
  return context.get(Access).levelInGroup(caller.user, group.id) >= accessLevels.planner;
}

function hasWeight({ context }: IssueTarget): boolean {
  return includesTier(context.edition, "premium");
}
