import type { SignedInCaller } from "../../../../domain/caller.ts";
import { invalid, notFoundLowerCase, unprocessable } from "../../../../domain/failure.ts";
import { toDateTime } from "../../../../lib/datetime.ts";
import { memberEvents } from "../../../core/access/index.ts";
import { findUser, getUser } from "../../../core/users/index.ts";
import type { GroupRecord } from "../../../groups-and-projects/groups/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { updateRecord } from "../../../kernel/record-events.ts";
import { isProtected } from "../policy.ts";
import { requireTopLevelOwner } from "../policy-top-level.ts";
import { type MembershipRecord, memberships } from "../records.ts";
import { isVisible, membershipsBelow, rootIdOf } from "../service-direct-memberships.ts";
import { recordMemberEvent } from "../service-memberships.ts";

type State = MembershipRecord["state"];

/** `PUT /groups/:id/members/:user_id/state`: of all memberships in the hierarchy (members-and-access 6). */
export function updateMemberState(
  context: Context,
  caller: SignedInCaller,
  group: GroupRecord,
  userId: number,
  state: State,
): void {
  requireTopLevelOwner(context, caller, group);
  const rows = membershipsBelow(context, userId, group.id);
  if (rows.length === 0) throw unprocessable("No memberships found");
  const ofTop = rows.find((row) => row.source_type === "group" && row.source_id === group.id);
  if (state === "awaiting" && ofTop !== undefined && isProtected(context, { group }, ofTop)) {
    throw unprocessable("The last owner cannot be set to awaiting");
  }
  updateState(context, caller, group, rows, state);
}

/** One membership for each user who waits somewhere in the hierarchy, the oldest. */
export function listPendingMemberships(context: Context, group: GroupRecord): MembershipRecord[] {
  const ofUsers = new Map<number, MembershipRecord>();
  for (const row of awaitingRows(context, group)) if (!ofUsers.has(row.user_id)) ofUsers.set(row.user_id, row);
  return [...ofUsers.values()].filter((row) => findUser(context.store, row.user_id) !== undefined);
}

/** `PUT /groups/:id/members/:member_id/approve`. Throws 404 for a row of elsewhere, 400 when nothing waits. */
export function approveMember(context: Context, caller: SignedInCaller, group: GroupRecord, rowId: number): void {
  requireTopLevelOwner(context, caller, group);
  const row = context.store.of(memberships).get(rowId);
  if (row === undefined || !isVisible(context, row) || rootIdOf(context, row) !== group.id) throw notFoundLowerCase();
  const awaiting = membershipsBelow(context, row.user_id, group.id).filter(({ state }) => state === "awaiting");
  if (awaiting.length === 0) throw invalid("400 Bad request");
  updateState(context, caller, group, awaiting, "active");
}

export function approveAllMembers(context: Context, caller: SignedInCaller, group: GroupRecord): void {
  requireTopLevelOwner(context, caller, group);
  updateState(context, caller, group, awaitingRows(context, group), "active");
}

/** The rows that wait are few, wherever they are: they are met through an index of their own. */
function awaitingRows(context: Context, group: GroupRecord): MembershipRecord[] {
  const documents = context.store.of(memberships);
  return [...(documents.by.flag.find("awaiting") ?? [])]
    .map((id) => documents.get(id))
    .filter((row) => row !== undefined)
    .filter((row) => isVisible(context, row) && rootIdOf(context, row) === group.id);
}

/** One event for each user whose state changes. */
function updateState(
  context: Context,
  caller: SignedInCaller,
  group: GroupRecord,
  rows: readonly MembershipRecord[],
  state: State,
): void {
  const changed = rows.filter((row) => row.state !== state);
  if (changed.length === 0) return;
  const updated_at = toDateTime(context.clock.now());
  context.store.transact((tx) => {
    for (const row of changed) updateRecord(tx, context, caller, memberEvents, { ...row, state, updated_at });
    for (const userId of new Set(changed.map((row) => row.user_id))) {
      recordMemberEvent(tx, context, caller, { group }, getUser(context.store, userId), {
        event: "change_membership_state",
        act: { custom_message: `Changed the state of the memberships to ${state}` },
      });
    }
  });
}
