/** The checks that a merge request passes before it can be merged. */

import type { Caller } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import { OverBudget } from "../../../domain/work-budget.ts";
import {
  branchPrefix,
  type Commit,
  type MergeResult,
  mergeBases,
  mergeCommits,
  type Repository,
} from "../../../git/index.ts";
import { findPipelineOfCommit } from "../../ci/pipelines/index.ts";
import { type ProjectRecord, projectSettingOf } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { placeOf, readerOf } from "../../repositories/repositories/index.ts";
import { isDraftTitle, type MergeRequestRecord, mergeRequests } from "./records.ts";

/**
 * Works out whether the branches of an open merge request merge, unless that is known for the commits that they are at. Returns the
 * merge request as it is then. What takes too long stays unknown.
 */
export async function refreshMergeability(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  mergeRequest: MergeRequestRecord,
  gone: AbortSignal,
): Promise<MergeRequestRecord> {
  if (mergeRequest.state !== "opened") return mergeRequest;
  const { store, repositories } = context;
  const { id } = mergeRequest;
  const found = await repositories.readInTurn(placeOf(project), readerOf(caller), (repository) =>
    findOutcome(context, caller, repository, mergeRequest, gone),
  );
  const now = store.of(mergeRequests).get(id) ?? mergeRequest;
  if (found === undefined || now.state !== "opened") return now;
  store.touch(mergeRequests, { ...now, ...found });
  return store.of(mergeRequests).get(id) ?? now;
}

type Outcome = Pick<MergeRequestRecord, "merge_status" | "checked">;

/** undefined: it is known already, or takes too long. */
async function findOutcome(
  context: Context,
  caller: Caller,
  repository: Repository,
  { source_branch, target_branch, merge_status, checked }: MergeRequestRecord,
  gone: AbortSignal,
): Promise<Outcome | undefined> {
  const source = await repository.resolve(`${branchPrefix}${source_branch}`);
  const target = await repository.resolve(`${branchPrefix}${target_branch}`);
  const isKnown = merge_status === "can_be_merged" || merge_status === "cannot_be_merged";
  const isSame = checked?.head_sha === (source?.oid ?? null) && checked.target_sha === (target?.oid ?? null);
  if (isKnown && isSame) return undefined;
  const heads = { head_sha: source?.oid ?? null, target_sha: target?.oid ?? null };
  if (source === undefined || target === undefined) {
    return { merge_status: "cannot_be_merged", checked: { ...heads, is_broken: true, is_behind: false } };
  }
  try {
    const bases = await mergeBases(repository, [source], [target]);
    const isBehind = !bases.some(({ oid }) => oid === target.oid);
    const isBroken = bases.some(({ oid }) => oid === source.oid);
    const commits = { one: target, other: source, bases };
    const merges = !isBroken && (!isBehind || (await mergeOf(context, caller, repository, commits, gone)).isClean);
    const status = merges ? "can_be_merged" : "cannot_be_merged";
    return { merge_status: status, checked: { ...heads, is_broken: isBroken, is_behind: isBehind } };
  } catch (error) {
    if (error instanceof OverBudget) return undefined;
    throw error;
  }
}

/** Two commits, and what their histories have in common. */
export interface MergedCommits {
  readonly one: Commit;
  readonly other: Commit;
  readonly bases: readonly Commit[];
}

/** Merges the trees of two commits; nothing is written. Throws `OverBudget`, and 413. */
export function mergeOf(
  { repositories }: Context,
  caller: Caller,
  repository: Repository,
  { one, other, bases }: MergedCommits,
  gone: AbortSignal,
): Promise<MergeResult> {
  const names = { one: one.oid, other: other.oid };
  if (bases.length > 1) return mergeCommits(repository, one, other, names);
  const trees = { base: bases[0]?.tree, one: one.tree, other: other.tree, names };
  return repositories.computing.merge(repository, trees, { reader: readerOf(caller), gone });
}

/** `detailed_merge_status`: the first check that it does not pass, as far as stored facts say (merge-requests 6). */
export function detailedStatusOf(context: Context, mergeRequest: MergeRequestRecord, project: ProjectRecord): string {
  const { state, merge_status, merge_after, title, checked } = mergeRequest;
  if (merge_status === "checking") return "checking";
  if (merge_status === "unchecked" || merge_status === "cannot_be_merged_recheck") return "unchecked";
  if (state !== "opened") return "not_open";
  if (merge_after !== null && Date.parse(merge_after) > context.clock.now()) return "merge_time";
  if (approvalsLeft(context, mergeRequest, project) > 0) return "not_approved";
  if (isDraftTitle(title)) return "draft_status";
  if (checked?.is_broken === true) return "commits_status";
  if (merge_status === "cannot_be_merged") return "conflict";
  if (checked?.is_behind === true && needsRebase(mergeRequest, project)) return "need_rebase";
  return ciStatusOf(context, mergeRequest, project) ?? "mergeable";
}

/** The approvals that a merge request lacks: none in community. */
export function approvalsLeft(
  { edition }: Pick<Context, "edition">,
  { approvals = [] }: MergeRequestRecord,
  project: ProjectRecord,
): number {
  const required = includesTier(edition, "premium") ? projectSettingOf(project, "approvals_before_merge") : 0;
  return Math.max(0, required - approvals.length);
}

/** Whether merging joins its commits into one. */
export function willSquash({ squash }: MergeRequestRecord, project: ProjectRecord): boolean {
  const option = projectSettingOf(project, "squash_option");
  return option === "always" || (option !== "never" && squash);
}

function needsRebase(mergeRequest: MergeRequestRecord, project: ProjectRecord): boolean {
  const method = projectSettingOf(project, "merge_method");
  return method === "rebase_merge" || (method === "ff" && !willSquash(mergeRequest, project));
}

function ciStatusOf(
  { store }: Context,
  { head_sha }: MergeRequestRecord,
  project: ProjectRecord,
): "ci_must_pass" | "ci_still_running" | undefined {
  if (!projectSettingOf(project, "only_allow_merge_if_pipeline_succeeds")) return undefined;
  const status = findPipelineOfCommit(store, project, head_sha)?.status;
  if (status === "success") return undefined;
  if (status === "skipped" && projectSettingOf(project, "allow_merge_on_skipped_pipeline")) return undefined;
  const hasEnded = status === undefined || ["failed", "canceled", "skipped"].includes(status);
  return hasEnded ? "ci_must_pass" : "ci_still_running";
}
