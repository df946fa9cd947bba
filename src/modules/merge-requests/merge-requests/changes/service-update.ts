import type { Static } from "@sinclair/typebox";
import type { SignedInCaller } from "../../../../domain/caller.ts";
import type { Transaction } from "../../../../store/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { requireValidTexts } from "../../../planning/issues/index.ts";
import type { QuickActionUpdates } from "../../../planning/quick-actions/index.ts";
import { canPushOrMerge } from "../../../repositories/protected-branches/index.ts";
import { canManage, requireUpdateRight } from "../policy.ts";
import { interpretMergeRequestText, withUpdates, writeOtherUpdates } from "../quick-actions/index.ts";
import type { MergeRequestRecord } from "../records.ts";
import type { UpdateMergeRequest } from "../schema-parameters.ts";
import { getMergeRequest, getReadableMergeRequest } from "../service-find.ts";
import {
  headsOf,
  holdRepository,
  keepVersion,
  type NewVersion,
  requireMergeablePair,
  requireNoOpenTwin,
  versionOf,
} from "./branches.ts";
import { resolveMetadata } from "./metadata.ts";
import { stateAfter, versionAfter, writeMergeRequest } from "./service-write.ts";

type Parameters = Static<typeof UpdateMergeRequest>;

/**
 * `PUT /projects/:id/merge_requests/:merge_request_iid` (merge-requests 4). Attributes that the caller may not set are ignored.
 * Throws 404, 403, 400 for broken rules of the model; for another target, and when it is opened again, what creation throws.
 */
export async function updateMergeRequest(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  params: Parameters,
  gone: AbortSignal,
): Promise<MergeRequestRecord> {
  const before = requireValid(context, caller, project, params);
  const branches = { ...before, target_branch: params.target_branch ?? before.target_branch };
  const isReopened = params.state_event === "reopen" && before.state === "closed";
  if (!isReopened && branches.target_branch === before.target_branch) {
    return context.store.transact((tx) => writeUpdate(tx, context, caller, project, params));
  }
  requireMergeablePair(branches);
  return holdRepository(context, caller, project, async (writer, now) => {
    const current = requireValid(context, caller, now, params);
    const heads = await headsOf(writer, branches);
    if (isReopened || current.state === "opened") requireNoOpenTwin(context.store, branches, current.id);
    const version = await versionOf(context, caller, writer, heads, gone);
    const kept = { id: now.id, iid: current.iid, head_sha: version.head_sha };
    return keepVersion(context, writer, kept, (tx) => writeUpdate(tx, context, caller, now, params, version));
  });
}

/** The merge request as it is. Throws the errors that need no repository. */
function requireValid(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  params: Parameters,
): MergeRequestRecord {
  const mergeRequest = getReadableMergeRequest(context, caller, project, params.merge_request_iid);
  requireUpdateRight(context, caller, project, mergeRequest);
  requireValidTexts({ ...mergeRequest, ...writingOf(params) });
  return mergeRequest;
}

function writeUpdate(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  params: Parameters,
  version?: NewVersion,
): MergeRequestRecord {
  const before = getMergeRequest(context, project, params.merge_request_iid);
  const { target_branch = before.target_branch, merge_after = before.merge_after, squash = before.squash } = params;
  const { described, updates } = describe(context, caller, project, { ...before, ...writingOf(params) }, params);
  const changed = {
    ...described,
    ...{ target_branch, merge_after, squash },
    ...stateAfter(context, caller, before, params.state_event),
    ...managedBy(context, caller, project, before, params),
    ...resolveMetadata(tx, context, caller, project, before, params),
    ...(version === undefined ? {} : versionAfter(tx, context, before, version)),
  };
  const acted = withUpdates(context, caller, changed, updates);
  return writeOtherUpdates(tx, context, caller, writeMergeRequest(tx, context, caller, before, acted), updates);
}

/** The merge request with its new description, without the quick actions in it, and what these ask for. */
function describe(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  mergeRequest: MergeRequestRecord,
  { description }: Parameters,
): { readonly described: MergeRequestRecord; readonly updates: QuickActionUpdates } {
  if (description == null) return { described: mergeRequest, updates: {} };
  const { text, updates } = interpretMergeRequestText(context, caller, project, mergeRequest, description);
  return { described: { ...mergeRequest, description: text }, updates };
}

function writingOf({ title, description }: Parameters): Partial<Pick<MergeRequestRecord, "title" | "description">> {
  return {
    ...(title === undefined ? {} : { title: title.trim() }),
    ...(description === undefined ? {} : { description }),
  };
}

/** The attributes that take more rights than to update: to lock the discussion, and to remove the source branch. */
function managedBy(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { source_branch }: MergeRequestRecord,
  { discussion_locked, remove_source_branch }: Parameters,
): Partial<MergeRequestRecord> {
  const mayRemove = remove_source_branch !== undefined && canPushOrMerge(context, caller.user, project, source_branch);
  return {
    ...(discussion_locked !== undefined && canManage(context, caller, project) ? { discussion_locked } : {}),
    ...(mayRemove ? { force_remove_source_branch: remove_source_branch } : {}),
  };
}
