import type { Static } from "@sinclair/typebox";
import { includesTier } from "../../../domain/edition.ts";
import { spend } from "../../../domain/work-budget.ts";
import type { Commit, FileDiff } from "../../../git/index.ts";
import { renderEmoji, renderParagraphs } from "../../../lib/text/emoji.ts";
import {
  canReadBuilds,
  findPipelineOfCommit,
  presentListedPipeline,
  presentPipeline,
} from "../../ci/pipelines/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import { getUser, presentBasicUser } from "../../core/users/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { View } from "../../kernel/view.ts";
import { type RelativeTo, referencesTo } from "../../planning/issuables/index.ts";
import { presentLabels } from "../../planning/issues/index.ts";
import { presentMilestone } from "../../planning/milestones/index.ts";
import { milestones } from "../../planning/milestones/records.ts";
import { remainingIds } from "../../planning/pending-unlinks/index.ts";
import { presentTimeStats } from "../../planning/time-tracking/index.ts";
import { canPushOrMerge } from "../../repositories/protected-branches/index.ts";
import { presentCommit, presentDiff } from "../../repositories/repositories/index.ts";
import { detailedStatusOf, willSquash } from "./mergeability.ts";
import { isDraftTitle, type MergeRequestRecord } from "./records.ts";
import type { MergeRequestVersionRecord } from "./records-versions.ts";
import type {
  ListedMergeRequest,
  MergeRequest,
  Reviewer,
  SimpleMergeRequest,
  Version,
  WholeVersion,
} from "./schema.ts";
import { isFirstContribution } from "./service-counts.ts";
import { getTargetProject, getVersion } from "./service-find.ts";
import { isSubscribed } from "./service-subscriptions.ts";

/** The choices for presenting an entry of a list. */
export interface ListedOptions {
  /** Labels are objects. */
  readonly withLabelsDetails?: boolean | undefined;
  readonly relativeTo?: RelativeTo;
}

/** An entry of a list with `view=simple`. */
export function presentSimpleMergeRequest(
  mergeRequest: MergeRequestRecord,
  { context: { store }, baseUrl }: View,
): Static<typeof SimpleMergeRequest> {
  const { id, iid, project_id, title, description, state, created_at, updated_at } = mergeRequest;
  const web_url = `${baseUrl}/${projectPathOf(store, getTargetProject(store, mergeRequest))}/-/merge_requests/${iid}`;
  return { id, iid, project_id, title, description, state, created_at, updated_at, web_url };
}

/** An entry of a list (merge-requests 3.1). */
export function presentListedMergeRequest(
  mergeRequest: MergeRequestRecord,
  view: View,
  { withLabelsDetails = false, relativeTo }: ListedOptions = {},
): Static<typeof ListedMergeRequest> {
  const { context } = view;
  const { store } = context;
  const person = (id: number) => presentBasicUser(getUser(store, id), view);
  const personOrNull = (id: number | null) => (id === null ? null : person(id));
  const assignees = mergeRequest.assignee_ids.map(person);
  const project = getTargetProject(store, mergeRequest);
  const draft = isDraftTitle(mergeRequest.title);
  const [milestoneId] =
    mergeRequest.milestone_id === null ? [] : remainingIds(store, "milestone", [mergeRequest.milestone_id]);
  const milestone = milestoneId === undefined ? undefined : store.of(milestones).get(milestoneId);
  const short = `!${mergeRequest.iid}`;
  return {
    ...presentSimpleMergeRequest(mergeRequest, view),
    merged_by: personOrNull(mergeRequest.merge_user_id),
    merge_user: personOrNull(mergeRequest.merge_user_id),
    merged_at: mergeRequest.merged_at,
    closed_by: personOrNull(mergeRequest.closed_by_id),
    closed_at: mergeRequest.closed_at,
    target_branch: mergeRequest.target_branch,
    source_branch: mergeRequest.source_branch,
    user_notes_count: mergeRequest.user_notes_count,
    upvotes: mergeRequest.upvotes,
    downvotes: mergeRequest.downvotes,
    author: person(mergeRequest.author_id),
    assignees,
    assignee: assignees[0] ?? null,
    reviewers: mergeRequest.reviewer_ids.map(person),
    source_project_id: mergeRequest.source_project_id,
    target_project_id: mergeRequest.project_id,
    labels: presentLabels(mergeRequest, view, { withDetails: withLabelsDetails }),
    draft,
    imported: false,
    imported_from: "none",
    work_in_progress: draft,
    milestone: milestone === undefined ? null : presentMilestone(milestone, view),
    merge_when_pipeline_succeeds: false,
    merge_status: mergeRequest.merge_status,
    detailed_merge_status: detailedStatusOf(context, mergeRequest, project),
    merge_after: mergeRequest.merge_after,
    sha: mergeRequest.head_sha,
    merge_commit_sha: mergeRequest.merge_commit_sha,
    squash_commit_sha: mergeRequest.squash_commit_sha,
    discussion_locked: mergeRequest.discussion_locked,
    should_remove_source_branch: mergeRequest.should_remove_source_branch,
    force_remove_source_branch: mergeRequest.force_remove_source_branch,
    prepared_at: mergeRequest.prepared_at,
    reference: short,
    references: referencesTo(store, project, short, relativeTo),
    time_stats: presentTimeStats(mergeRequest),
    squash: mergeRequest.squash,
    squash_on_merge: willSquash(mergeRequest, project),
    task_completion_status: mergeRequest.task_completion,
    has_conflicts: mergeRequest.merge_status === "cannot_be_merged",
    blocking_discussions_resolved: true,
    ...(includesTier(context.edition, "premium") ? { approvals_before_merge: null } : {}),
  };
}

/** The choices for presenting a single merge request. */
export interface SingleOptions {
  readonly rendersHtml?: boolean | undefined;
  /** Says whether it is the author's first one. */
  readonly isRead?: true;
  /** The commits of the target branch that the source branch lacks, where they were counted. */
  readonly divergedCommitsCount?: number | undefined;
  readonly saysRebase?: boolean | undefined;
}

/** A single merge request (merge-requests 3.2). */
export function presentMergeRequest(
  mergeRequest: MergeRequestRecord,
  view: View,
  { rendersHtml, isRead, divergedCommitsCount, saysRebase }: SingleOptions = {},
): Static<typeof MergeRequest> {
  const { context, caller } = view;
  const { store } = context;
  const { user } = caller;
  const { base_sha, head_sha, start_sha, size = null } = getVersion(store, mergeRequest);
  const project = getTargetProject(store, mergeRequest);
  return {
    ...presentListedMergeRequest(mergeRequest, view),
    ...(rendersHtml ? htmlOf(mergeRequest) : {}),
    subscribed: user !== undefined && isSubscribed(store, mergeRequest, user.id),
    changes_count: size,
    ...presentBuilds(mergeRequest, view),
    diff_refs: { base_sha, head_sha, start_sha },
    merge_error: mergeRequest.merge_error,
    user: { can_merge: user !== undefined && canPushOrMerge(context, user, project, mergeRequest.target_branch) },
    ...(isRead ? { first_contribution: isFirstContribution(store, mergeRequest) } : {}),
    ...(divergedCommitsCount === undefined ? {} : { diverged_commits_count: divergedCommitsCount }),
    ...(saysRebase ? { rebase_in_progress: false } : {}),
  };
}

/** A version of a merge request (merge-requests 5). */
export function presentVersion(version: MergeRequestVersionRecord, _: View): Static<typeof Version> {
  const { id, head_sha, base_sha, start_sha, created_at, merge_request_id, size = null } = version;
  return {
    id,
    head_commit_sha: head_sha,
    base_commit_sha: base_sha,
    start_commit_sha: start_sha,
    created_at,
    merge_request_id,
    state: size === null ? "empty" : "collected",
    real_size: size,
    patch_id_sha: null,
  };
}

interface VersionContent {
  readonly project: ProjectRecord;
  readonly commits: readonly Commit[];
  readonly files: readonly FileDiff[];
  readonly isUnified: boolean;
}

/** A version with its commits and files. */
export function presentWholeVersion(
  version: MergeRequestVersionRecord,
  view: View,
  { project, commits, files, isUnified }: VersionContent,
): Static<typeof WholeVersion> {
  const projectPath = projectPathOf(view.context.store, project);
  return {
    ...presentVersion(version, view),
    commits: commits.map((commit) => presentCommit(commit, view, { projectPath })),
    diffs: files.map((each) => presentDiff(each, view, { isUnified })),
  };
}

/** A reviewer with what the user has done (merge-requests 5). */
export function presentReviewer(
  { reviews = [], created_at }: MergeRequestRecord,
  view: View,
  { userId }: { readonly userId: number },
): Static<typeof Reviewer> {
  const review = reviews.find(({ user_id }) => user_id === userId);
  return {
    user: presentBasicUser(getUser(view.context.store, userId), view),
    state: review?.state ?? "unreviewed",
    created_at: review?.created_at ?? created_at,
  };
}

/** The newest pipeline of the commit; nothing for those who may not see pipelines. */
function presentBuilds({ head_sha, source_project_id, project_id }: MergeRequestRecord, view: View) {
  const { context, caller } = view;
  const project = context.store.of(projects).get(source_project_id ?? project_id);
  if (project === undefined || !canReadBuilds(context, caller.user, project)) return {};
  const pipeline = findPipelineOfCommit(context.store, project, head_sha);
  return {
    latest_build_started_at: pipeline?.started_at ?? null,
    latest_build_finished_at: pipeline?.finished_at ?? null,
    first_deployed_to_production_at: null,
    pipeline: pipeline === undefined ? null : presentListedPipeline(pipeline, view),
    head_pipeline: pipeline === undefined ? null : presentPipeline(pipeline, view),
  };
}

/** The steps to render a character. */
const renderSteps = 15;

function htmlOf({ title, description }: MergeRequestRecord) {
  spend(renderSteps * (title.length + (description ?? "").length));
  return { title_html: renderEmoji(title), description_html: renderParagraphs(description ?? "") };
}
