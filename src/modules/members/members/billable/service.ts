import type { SignedInCaller } from "../../../../domain/caller.ts";
import { invalid, notFound, notFoundLowerCase, requireUnmodified } from "../../../../domain/failure.ts";
import type { DateTime } from "../../../../lib/datetime.ts";
import { findSource, linksInto } from "../../../core/access/index.ts";
import { findUser } from "../../../core/users/index.ts";
import type { GroupRecord } from "../../../groups-and-projects/groups/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { isProtected } from "../policy.ts";
import { requireTopLevelOwner } from "../policy-top-level.ts";
import type { MembershipRecord } from "../records.ts";
import { findMembership, membershipsBelow } from "../service-direct-memberships.ts";
import { removeMembership } from "../service-memberships.ts";
import { findBillableMember } from "./service-list.ts";

/** Throws 404 `Not found` for an unknown user, 404 `User Not Found` for a user without a seat in the group's hierarchy. */
export function requireBillable(context: Context, group: GroupRecord, userId: number): void {
  if (findUser(context.store, userId) === undefined) throw notFoundLowerCase();
  if (findBillableMember(context, group, userId) === undefined) throw notFound("User");
}

/** Direct memberships in the hierarchy. */
export function directMembershipsOf(context: Context, group: GroupRecord, userId: number): MembershipRecord[] {
  return membershipsBelow(context, userId, group.id);
}

/** Direct memberships in the groups that were invited to the top-level group. */
export function indirectMembershipsOf(context: Context, group: GroupRecord, userId: number): MembershipRecord[] {
  return linksInto(context, { type: "group", id: group.id })
    .map((link) => findSource(context.store, { type: "group", id: link.group_id }))
    .map((source) => (source === undefined ? undefined : findMembership(context, source, userId)))
    .filter((row) => row !== undefined)
    .sort((one, other) => one.id - other.id);
}

/**
 * `DELETE /groups/:id/billable_members/:user_id`: out of the whole hierarchy, but for what the last owner needs. Throws
 * 412 when one of the memberships was changed.
 */
export function deleteBillableMember(
  context: Context,
  caller: SignedInCaller,
  group: GroupRecord,
  userId: number,
  unmodifiedSince: DateTime | undefined,
): void {
  requireTopLevelOwner(context, caller, group, {
    subgroup: "400 Bad request - Invalid group provided, must be top-level",
    stranger: "400 Bad request - User unauthorized to remove member",
  });
  const rows = membershipsBelow(context, userId, group.id);
  if (rows.length === 0) throw invalid("400 Bad request - No member found for the given user_id");
  for (const row of rows) requireUnmodified(row, unmodifiedSince);
  const own = findMembership(context, { group }, userId);
  const isProtectedRow = own !== undefined && isProtected(context, { group }, own);
  context.store.transact((tx) => {
    for (const row of rows) if (!isProtectedRow || row.id !== own.id) removeMembership(tx, context, caller, row);
  });
}
