import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, requireUnmodified } from "../../../domain/failure.ts";
import type { DateTime } from "../../../lib/datetime.ts";
import { recordOf, type Source } from "../../core/access/index.ts";
import { getUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { validateDraft } from "./levels.ts";
import { isBot, requireMemberManager, requireMemberReader, requireUnprotected } from "./policy.ts";
import type { MembershipRecord } from "./records.ts";
import type { EditMember, RemoveMember } from "./schema.ts";
import { draftOf } from "./service-create.ts";
import { getMembership, membershipsBelow } from "./service-direct-memberships.ts";
import { removeMembership, updateMembership } from "./service-memberships.ts";

/** `PUT /SRC/:id/members/:user_id` (members-and-access 4.4). */
export function updateMember(
  context: Context,
  caller: SignedInCaller,
  source: Source,
  params: Static<typeof EditMember>,
): MembershipRecord {
  requireMemberReader(context, caller, source);
  const row = getMembership(context, source, params.user_id);
  requireMemberManager(context, caller, source, ...levelsTouched(source, row, params.access_level));
  requireUnprotected(context, source, row);
  const user = getUser(context.store, row.user_id);
  const draft = validateDraft(context, source, user, draftOf(params), false);
  return context.store.transact((tx) => updateMembership(tx, context, caller, source, user, row, draft));
}

/** `DELETE /SRC/:id/members/:user_id` (members-and-access 4.5): members may leave, and some may remove others. */
export function deleteMember(
  context: Context,
  caller: SignedInCaller,
  source: Source,
  params: Static<typeof RemoveMember>,
  unmodifiedSince: DateTime | undefined,
): void {
  if (params.user_id !== caller.user.id) requireMemberReader(context, caller, source);
  const row = getMembership(context, source, params.user_id);
  requireUnmodified(row, unmodifiedSince);
  if (row.user_id !== caller.user.id) requireMemberManager(context, caller, source, ...levelsTouched(source, row));
  requireUnprotected(context, source, row);
  if (isBot(getUser(context.store, row.user_id))) throw forbidden();
  const isCascading = "group" in source && params.skip_subresources !== true;
  const rows = isCascading ? membershipsBelow(context, row.user_id, recordOf(source).id) : [row];
  context.store.transact((tx) => {
    for (const each of rows) {
      const unassigns = params.unassign_issuables === true && each.id === row.id;
      removeMembership(tx, context, caller, each, unassigns);
    }
  });
}

/** Returns the levels that the caller must be able to manage; none in groups, where only owners manage members. */
function levelsTouched(source: Source, { access_level }: MembershipRecord, wanted: number = accessLevels.none) {
  return "project" in source ? [access_level, wanted] : [];
}
