import type { Static } from "@sinclair/typebox";
import { isSignedIn } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import { findUser, presentBasicUser } from "../../core/users/index.ts";
import { type ProjectRecord, projectSettingOf } from "../../groups-and-projects/projects/records.ts";
import type { View } from "../../kernel/view.ts";
import { approvalsLeft } from "../merge-requests/index.ts";
import type { MergeRequestRecord } from "../merge-requests/records.ts";
import { canApprove } from "./policy.ts";
import type { Approvals } from "./schema.ts";

/** merge-requests 11. */
export function presentApprovals(
  mergeRequest: MergeRequestRecord,
  view: View,
  { project }: { readonly project: ProjectRecord },
): Static<typeof Approvals> {
  const { context, caller } = view;
  const { approvals = [] } = mergeRequest;
  const isPremium = includesTier(context.edition, "premium");
  const left = approvalsLeft(context, mergeRequest, project);
  return {
    user_has_approved: approvals.some(({ user_id }) => user_id === caller.user?.id),
    user_can_approve: isSignedIn(caller) && canApprove(context, caller, project, mergeRequest),
    approved: isPremium ? left === 0 : approvals.length > 0,
    approved_by: approvals.flatMap(({ user_id, approved_at }) => {
      const user = findUser(context.store, user_id);
      return user === undefined ? [] : [{ user: presentBasicUser(user, view), approved_at }];
    }),
    ...(isPremium ? premiumFields(mergeRequest, project, left) : {}),
  };
}

function premiumFields(mergeRequest: MergeRequestRecord, project: ProjectRecord, left: number) {
  const { id, iid, project_id, title, description, state, created_at, updated_at, merge_status } = mergeRequest;
  return {
    ...{ id, iid, project_id, title, description, state, created_at, updated_at, merge_status },
    approvals_required: projectSettingOf(project, "approvals_before_merge"),
    approvals_left: left,
  };
}
