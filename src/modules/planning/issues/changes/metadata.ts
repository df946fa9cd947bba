/** The labels, assignees, milestone and epic of an issue in a request. */

import { accessLevels } from "../../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../../domain/caller.ts";
import { forbidden, notFound } from "../../../../domain/failure.ts";
import type { Transaction } from "../../../../store/index.ts";
import { Access, canReadEpic, sourcesAbove } from "../../../core/access/index.ts";
import type { UserRecord } from "../../../core/users/records.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { type EpicRecord, epics } from "../../epics/records.ts";
import { chosenUsers } from "../../issuables/index.ts";
import { resolveLabels } from "../../labels/index.ts";
import { isMilestoneOf } from "../../milestones/index.ts";
import { remainingIds } from "../../pending-unlinks/index.ts";
import { canPlan } from "../policy.ts";
import type { IssueRecord } from "../records.ts";
import { findEpicOfNumber } from "../references/index.ts";
import type { IssueAttributes } from "../schema-parameters.ts";

/** The metadata of an issue, as far as the parameters set it (1.4, "Metadata right"). */
export type IssueMetadata = Partial<
  Pick<IssueRecord, "assignee_ids" | "label_ids" | "milestone_id" | "due_date" | "start_date" | "weight">
>;

/** The metadata that the parameters name; creates labels that do not exist yet. */
export function resolveMetadata(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  issue: Pick<IssueRecord, "label_ids">,
  params: IssueAttributes,
  mayBeAssigned: (user: UserRecord) => boolean,
): IssueMetadata {
  const { milestone_id, due_date, start_date, weight } = params;
  const assignee_ids = assigneesOf(context, params, mayBeAssigned);
  const places = sourcesAbove(context.store, project) as [ReturnType<typeof sourcesAbove>[number]];
  const present = remainingIds(context.store, "label", issue.label_ids);
  const label_ids = resolveLabels(tx, context, caller, places, present, params, canPlan(context, caller, project));
  return {
    ...(assignee_ids === undefined ? {} : { assignee_ids }),
    ...(label_ids === undefined ? {} : { label_ids }),
    ...(milestone_id === undefined ? {} : { milestone_id: suitableMilestone(context, project, milestone_id) }),
    ...(due_date === undefined ? {} : { due_date }),
    ...(start_date === undefined ? {} : { start_date }),
    ...(weight === undefined ? {} : { weight }),
  };
}

/**
 * The assignees; undefined if the parameters set none. Users who may not be assigned are dropped; community keeps the
 * first alone.
 */
function assigneesOf(
  context: Context,
  { assignee_ids, assignee_id }: IssueAttributes,
  mayBeAssigned: (user: UserRecord) => boolean,
): number[] | undefined {
  if (assignee_ids === undefined && assignee_id === undefined) return undefined;
  const wanted = assignee_ids === undefined ? [assignee_id ?? 0] : (assignee_ids ?? []);
  return chosenUsers(context, wanted, mayBeAssigned);
}

function suitableMilestone({ store }: Context, project: ProjectRecord, id: number | null): number | null {
  return id !== null && isMilestoneOf(store, project, id) ? id : null;
}

/**
 * The epic that the parameters name; null: none, undefined: nothing was said. Throws 404 for one that is hidden, 403 for another
 * one than `present` in a group that is not above the project, and in which the caller is no member.
 */
export function epicOf(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { epic_id, epic_iid }: IssueAttributes,
  present: number | null,
): number | null | undefined {
  if (epic_id === undefined && epic_iid === undefined) return undefined;
  if (!(epic_id ?? epic_iid)) return null;
  const epic =
    epic_id == null
      ? findEpicOfNumber(context.store, project, epic_iid as number)
      : context.store.of(epics).get(epic_id);
  if (epic === undefined || !canReadEpic(context, caller.user, epic)) throw notFound("Epic");
  if (epic.id !== present && !canReachEpic(context, caller, project, epic)) throw forbidden();
  return epic.id;
}

/** Whether the epic is above the project, or its group has the caller as a member. */
function canReachEpic(context: Context, caller: SignedInCaller, project: ProjectRecord, epic: EpicRecord): boolean {
  const isAbove = sourcesAbove(context.store, project).some(({ type, id }) => type === "group" && id === epic.group_id);
  return isAbove || context.get(Access).levelInGroup(caller.user, epic.group_id) >= accessLevels.guest;
}

/** Whether a caller who may plan issues of the project may put them into an epic. */
export function canJoinEpic(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  epic: EpicRecord,
): boolean {
  return canReadEpic(context, caller.user, epic) && canReachEpic(context, caller, project, epic);
}
