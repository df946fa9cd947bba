import type { Static } from "@sinclair/typebox";
import type { SignedInCaller } from "../../../../domain/caller.ts";
import { conflict, Failure, unauthenticated, unprocessable } from "../../../../domain/failure.ts";
import { branchPrefix, type Commit, mergeBases, type RepositoryWriter } from "../../../../git/index.ts";
import { toDateTime } from "../../../../lib/datetime.ts";
import { projectPathOf } from "../../../core/namespaces/index.ts";
import { commitEmail, getUser } from "../../../core/users/index.ts";
import { type ProjectRecord, projectSettingOf } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { canPushOrMerge, isProtectedBranch } from "../../../repositories/protected-branches/index.ts";
import { deleteRef, pushCommit, signaturesOf } from "../../../repositories/repositories/index.ts";
import { holdRepository } from "../changes/branches.ts";
import { writeMergeRequest } from "../changes/service-write.ts";
import { detailedStatusOf, mergeOf, refreshMergeability, willSquash } from "../mergeability.ts";
import type { MergeRequestRecord } from "../records.ts";
import type { MergeMergeRequest } from "../schema-parameters.ts";
import { getFoundMergeRequest, getMergeRequest, getVersion } from "../service-find.ts";
import { mergeMessageOf, squashMessageOf } from "./messages.ts";

type Parameters = Static<typeof MergeMergeRequest>;

/** The request behind a merge. */
interface Sent {
  readonly baseUrl: string;
  readonly gone: AbortSignal;
}

/**
 * `PUT …/merge` (merge-requests 7). Throws 401 for a caller who may not merge into the target branch, 409 for another commit than that
 * of the source branch, 405 where a check fails, 422 where the branches move meanwhile.
 */
export async function mergeMergeRequest(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  params: Parameters,
  sent: Sent,
): Promise<MergeRequestRecord> {
  const found = getFoundMergeRequest(context, caller, project, params.merge_request_iid);
  requireMerger(context, caller, project, found);
  const checked = await refreshMergeability(context, caller, project, found, sent.gone);
  requireHead(checked, params.sha);
  requireMergeable(context, project, checked);
  return holdRepository(context, caller, project, async (writer, now) => {
    const current = getMergeRequest(context, now, params.merge_request_iid);
    requireMerger(context, caller, now, current);
    const source = await writer.resolve(`${branchPrefix}${current.source_branch}`);
    const target = await writer.resolve(`${branchPrefix}${current.target_branch}`);
    const isSame = source?.oid === checked.checked?.head_sha && target?.oid === checked.checked?.target_sha;
    if (current.state !== "opened" || source === undefined || target === undefined || !isSame) {
      throw unprocessable("Branch cannot be merged");
    }
    const squash = willSquash({ ...current, squash: params.squash ?? current.squash }, now);
    const merge = { context, caller, writer, project: now, mergeRequest: { ...current, squash }, params, sent };
    const merged = await pushMerge(merge, { source, target });
    await removeSource(merge, merged, source);
    return getMergeRequest(context, now, params.merge_request_iid);
  });
}

function requireMerger(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { target_branch }: MergeRequestRecord,
): void {
  if (!canPushOrMerge(context, caller.user, project, target_branch)) throw unauthenticated();
}

function requireHead({ head_sha }: MergeRequestRecord, sha: string | undefined): void {
  if (sha !== undefined && sha !== head_sha) {
    throw conflict(`SHA does not match HEAD of source branch: ${head_sha}`);
  }
}

function requireMergeable(context: Context, project: ProjectRecord, mergeRequest: MergeRequestRecord): void {
  if (detailedStatusOf(context, mergeRequest, project) === "mergeable") return;
  throw new Failure("not_allowed", { message: "405 Method Not Allowed" });
}

interface Merge {
  readonly context: Context;
  readonly caller: SignedInCaller;
  readonly writer: RepositoryWriter;
  readonly project: ProjectRecord;
  readonly mergeRequest: MergeRequestRecord;
  readonly params: Parameters;
  readonly sent: Sent;
}

interface Heads {
  readonly source: Commit;
  readonly target: Commit;
}

/** Writes the commits that the project's method makes, and switches the target branch to them. */
async function pushMerge(merge: Merge, { source, target }: Heads): Promise<MergeRequestRecord> {
  const { context, caller, writer, project, mergeRequest, params, sent } = merge;
  const isFastForward = projectSettingOf(project, "merge_method") === "ff";
  const start = isFastForward ? target : await startOf(merge);
  const squashed = mergeRequest.squash ? await squash(merge, start, source) : undefined;
  const last = squashed ?? source;
  const head = isFastForward ? last : await commitMerge(merge, target, last);
  const made = {
    merge_commit_sha: isFastForward ? null : head.oid,
    squash_commit_sha: squashed?.oid ?? null,
  };
  let after = mergeRequest;
  const commits = await writer.range({ left: target, right: head, isSymmetric: false });
  await pushCommit(
    context,
    caller,
    writer,
    project,
    {
      ...{ branch: mergeRequest.target_branch, before: target.oid, oid: head.oid, tree: head.tree },
      ...{ message: head.message, isFirst: false, commitCount: commits.size },
      record(tx) {
        const before = getMergeRequest(context, project, mergeRequest.iid);
        after = writeMergeRequest(tx, context, caller, before, {
          ...before,
          ...made,
          ...{ state: "merged", merged_at: toDateTime(context.clock.now()), merge_user_id: caller.user.id },
          ...{ squash: mergeRequest.squash, merge_error: null, merge_status: "can_be_merged" },
          should_remove_source_branch: params.should_remove_source_branch ?? null,
        });
      },
    },
    sent.baseUrl,
  );
  return after;
}

/** The commit of the target branch when the newest version was made. */
async function startOf({ context, writer, mergeRequest }: Merge): Promise<Commit> {
  const { start_sha } = getVersion(context.store, mergeRequest);
  const start = await writer.commitOf(start_sha);
  if (start === undefined) throw unprocessable("Branch cannot be merged");
  return start;
}

/** A commit of all changes on top of another one, by the author of the merge request. */
async function squash(merge: Merge, parent: Commit, source: Commit): Promise<Commit> {
  const { context, mergeRequest, project, params } = merge;
  const author = getUser(context.store, mergeRequest.author_id);
  const message = params.squash_commit_message || squashMessageOf(mergeRequest, project, placeOf(merge));
  const tree = await mergedTree(merge, parent, source);
  return write(merge, message, tree, [parent.oid], {
    name: author.name,
    email: commitEmail(author, merge.sent.baseUrl),
  });
}

async function commitMerge(merge: Merge, target: Commit, last: Commit): Promise<Commit> {
  const { mergeRequest, project, params } = merge;
  const message = params.merge_commit_message || mergeMessageOf(mergeRequest, project, placeOf(merge));
  const tree = await mergedTree(merge, target, last);
  return write(merge, message, tree, [target.oid, last.oid], { name: undefined, email: undefined });
}

async function write(
  { context, caller, writer, sent }: Merge,
  message: string,
  tree: string,
  parents: readonly string[],
  author: { readonly name: string | undefined; readonly email: string | undefined },
): Promise<Commit> {
  const signatures = signaturesOf(context, caller, { author }, sent.baseUrl);
  const oid = await writer.writeCommit({ message, tree, parents, ...signatures });
  await writer.save();
  const commit = await writer.commitOf(oid);
  if (commit === undefined) throw new Error(`the commit ${oid} is not where it was written`);
  return commit;
}

/** The tree of both commits, stored. Throws 422 for a conflict. */
async function mergedTree({ context, caller, writer, sent }: Merge, one: Commit, other: Commit): Promise<string> {
  const bases = await mergeBases(writer, [one], [other]);
  if (bases.some(({ oid }) => oid === one.oid)) return other.tree;
  const merged = await mergeOf(context, caller, writer, { one, other, bases }, sent.gone);
  if (!merged.isClean) throw unprocessable("Branch cannot be merged");
  await writer.writeMade(merged.objects);
  return merged.tree;
}

function placeOf({ context, project, mergeRequest, sent }: Merge) {
  const path = projectPathOf(context.store, project);
  return {
    url: `${sent.baseUrl}/${path}/-/merge_requests/${mergeRequest.iid}`,
    reference: `${path}!${mergeRequest.iid}`,
  };
}

/** Deletes the source branch where that was asked for, unless it is protected, the default one, or not the user's to delete. */
async function removeSource(merge: Merge, merged: MergeRequestRecord, source: Commit): Promise<void> {
  const { context, caller, writer, project, sent } = merge;
  const { should_remove_source_branch, force_remove_source_branch, source_branch } = merged;
  if ((should_remove_source_branch ?? force_remove_source_branch) !== true) return;
  const isKept = source_branch === project.default_branch || isProtectedBranch(context, project, source_branch);
  if (isKept || !canPushOrMerge(context, caller.user, project, source_branch)) return;
  const ref = `${branchPrefix}${source_branch}`;
  await deleteRef(context, caller, writer, project, { ref, before: source.oid }, sent.baseUrl);
}
