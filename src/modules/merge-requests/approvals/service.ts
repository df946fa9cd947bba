import type { SignedInCaller } from "../../../domain/caller.ts";
import { conflict, forbidden, notFound, unauthenticated } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { writeMergeRequest } from "../merge-requests/index.ts";
import type { MergeRequestRecord } from "../merge-requests/records.ts";
import { canApprove, canReview } from "./policy.ts";

/** `POST …/approve`. Throws 403 without the right, 409 for another commit than that of the branch, 401 where it cannot be approved. */
export function approveMergeRequest(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  mergeRequest: MergeRequestRecord,
  sha: string | undefined,
): MergeRequestRecord {
  if (!canReview(context, caller, project, mergeRequest)) throw forbidden();
  const { head_sha, approvals = [] } = mergeRequest;
  if (sha !== undefined && sha !== head_sha) {
    throw conflict(`SHA does not match HEAD of source branch: ${head_sha}`);
  }
  if (!canApprove(context, caller, project, mergeRequest)) throw unauthenticated();
  const approval = { user_id: caller.user.id, approved_at: toDateTime(context.clock.now()) };
  return write(context, caller, mergeRequest, [...approvals, approval], "approved");
}

/** `POST …/unapprove`. Throws 403 without the right, 404 where the caller has not approved it. */
export function unapproveMergeRequest(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  mergeRequest: MergeRequestRecord,
): MergeRequestRecord {
  if (!canReview(context, caller, project, mergeRequest)) throw forbidden();
  const { approvals = [] } = mergeRequest;
  const rest = approvals.filter(({ user_id }) => user_id !== caller.user.id);
  if (rest.length === approvals.length || mergeRequest.state === "merged") throw notFound();
  return write(context, caller, mergeRequest, rest, "unapproved");
}

function write(
  context: Context,
  caller: SignedInCaller,
  mergeRequest: MergeRequestRecord,
  approvals: NonNullable<MergeRequestRecord["approvals"]>,
  state: "approved" | "unapproved",
): MergeRequestRecord {
  const reviews = (mergeRequest.reviews ?? []).map((each) =>
    each.user_id === caller.user.id ? { ...each, state } : each,
  );
  return context.store.transact((tx) =>
    writeMergeRequest(tx, context, caller, mergeRequest, { ...mergeRequest, approvals, reviews }),
  );
}
