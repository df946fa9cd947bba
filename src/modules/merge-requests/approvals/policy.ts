import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import { Access } from "../../core/access/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { canUpdate } from "../merge-requests/index.ts";
import type { MergeRequestRecord } from "../merge-requests/records.ts";

/** Members who may update it have to do with its approvals (merge-requests 1). */
export function canReview(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  mergeRequest: MergeRequestRecord,
): boolean {
  const isMember = context.get(Access).levelInProject(caller.user, project) >= accessLevels.guest;
  return isMember && canUpdate(context, caller, project, mergeRequest);
}

/** Whether the caller may approve it now: not twice, not once it is merged, and its author in community alone. */
export function canApprove(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  mergeRequest: MergeRequestRecord,
): boolean {
  const { state, author_id, approvals = [] } = mergeRequest;
  const isOwnWork = author_id === caller.user.id && includesTier(context.edition, "premium");
  const hasApproved = approvals.some(({ user_id }) => user_id === caller.user.id);
  return state !== "merged" && !isOwnWork && !hasApproved && canReview(context, caller, project, mergeRequest);
}
