import { type TSchema, Type } from "@sinclair/typebox";
import { ListedPipeline, Pipeline } from "../../ci/pipelines/index.ts";
import { BasicUser } from "../../core/users/index.ts";
import { arrayOf } from "../../kernel/array-schema.ts";
import { Label } from "../../planning/labels/index.ts";
import { Milestone } from "../../planning/milestones/index.ts";
import { TimeStats } from "../../planning/time-tracking/index.ts";
import { Commit, Diff } from "../../repositories/repositories/index.ts";
import { mergeStatuses, reviewStates } from "./records.ts";

const orNull = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
const DateTime = Type.String({ format: "date-time" });
const flag = (description: string) => Type.Boolean({ description });
const flagOrNull = (description: string) => orNull(Type.Boolean(), description);

/** The values of `detailed_merge_status` (merge-requests 6). */
export const detailedStatuses = [
  ...["checking", "unchecked", "not_open", "merge_time", "not_approved", "draft_status", "commits_status"],
  ...["discussions_not_resolved", "conflict", "need_rebase", "ci_still_running", "ci_must_pass", "mergeable"],
] as const;

const identity = {
  id: Type.Integer(),
  iid: Type.Integer(),
  project_id: Type.Integer(),
  title: Type.String(),
  description: orNull(Type.String()),
  state: Type.Union(["opened", "closed", "merged"].map((state) => Type.Literal(state))),
  created_at: DateTime,
  updated_at: DateTime,
  web_url: Type.String(),
};

/** An entry of a list with `view=simple` (merge-requests 2). */
export const SimpleMergeRequest = Type.Object(identity, { $id: "SimpleMergeRequest" });

const fields = {
  ...identity,
  merged_by: orNull(BasicUser, "user who has merged it, or null; the same as merge_user"),
  merge_user: orNull(BasicUser, "user who has merged it, or null"),
  merged_at: orNull(DateTime, "time at which it was merged, or null"),
  closed_by: orNull(BasicUser),
  closed_at: orNull(DateTime),
  target_branch: Type.String({ description: "branch to merge into" }),
  source_branch: Type.String({ description: "branch to merge" }),
  user_notes_count: Type.Integer(),
  upvotes: Type.Integer(),
  downvotes: Type.Integer(),
  author: BasicUser,
  assignees: Type.Array(BasicUser),
  assignee: orNull(BasicUser),
  reviewers: Type.Array(BasicUser, { description: "users who are asked for a review" }),
  source_project_id: orNull(Type.Integer(), "id of the project of the source branch; null when it is gone"),
  target_project_id: Type.Integer({ description: "id of the project of the target branch" }),
  labels: Type.Union([Type.Array(Type.String()), Type.Array(Label)]),
  draft: flag("whether the title says that the work is not finished"),
  imported: Type.Boolean(),
  imported_from: Type.String(),
  work_in_progress: flag("the same as draft"),
  milestone: orNull(Milestone),
  merge_when_pipeline_succeeds: flag("whether it is merged once all checks pass"),
  merge_status: Type.Union(
    mergeStatuses.map((status) => Type.Literal(status)),
    { description: "whether the branches merge without conflicts" },
  ),
  detailed_merge_status: Type.String({ description: `the first that holds of ${detailedStatuses.join(", ")}` }),
  merge_after: orNull(DateTime, "time before which it cannot be merged, or null"),
  sha: Type.String({ description: "commit of the source branch" }),
  merge_commit_sha: orNull(Type.String(), "commit that has merged it, or null"),
  squash_commit_sha: orNull(Type.String(), "commit that joins its commits, or null"),
  discussion_locked: orNull(Type.Boolean()),
  should_remove_source_branch: flagOrNull("whether the merging call removes the source branch"),
  force_remove_source_branch: flagOrNull("whether merging removes the source branch"),
  prepared_at: orNull(DateTime, "time at which its first version was made"),
  reference: Type.String({ description: "reference in the project, such as !7" }),
  references: Type.Object({ short: Type.String(), relative: Type.String(), full: Type.String() }),
  time_stats: TimeStats,
  squash: flag("whether merging joins its commits, if the project lets it choose"),
  squash_on_merge: flag("whether merging joins its commits"),
  task_completion_status: Type.Object({ count: Type.Integer(), completed_count: Type.Integer() }),
  has_conflicts: flag("whether the branches have conflicts"),
  blocking_discussions_resolved: flag("whether no open thread keeps it from being merged"),
  approvals_before_merge: Type.Optional(Type.Null({ description: "approvals that it needs; premium" })),
};

/** An entry of a list (merge-requests 3.1). */
export const ListedMergeRequest = Type.Object(fields, { $id: "ListedMergeRequest" });

const singleFields = {
  ...fields,
  title_html: Type.Optional(Type.String({ description: "title as HTML" })),
  description_html: Type.Optional(Type.String({ description: "description as HTML" })),
  subscribed: Type.Boolean(),
  changes_count: orNull(Type.String(), "number of changed files, with + where limits cut it; null without commits"),
  latest_build_started_at: Type.Optional(orNull(DateTime, "start of the newest pipeline, or null")),
  latest_build_finished_at: Type.Optional(orNull(DateTime, "end of the newest pipeline, or null")),
  first_deployed_to_production_at: Type.Optional(Type.Null({ description: "unknown" })),
  pipeline: Type.Optional(orNull(ListedPipeline, "newest pipeline of the commit, or null")),
  head_pipeline: Type.Optional(orNull(Pipeline, "newest pipeline of the commit, or null")),
  diff_refs: Type.Object(
    {
      base_sha: Type.String({ description: "commit that both branches have in common" }),
      head_sha: Type.String({ description: "commit of the source branch" }),
      start_sha: Type.String({ description: "commit of the target branch" }),
    },
    { description: "commits of the newest version" },
  ),
  merge_error: orNull(Type.String(), "reason why it could not be merged or rebased, or null"),
  user: Type.Object(
    { can_merge: flag("whether the caller may merge into the target branch") },
    { description: "rights of the caller" },
  ),
  first_contribution: Type.Optional(flag("whether none of the author's was merged in the project before")),
  diverged_commits_count: Type.Optional(
    Type.Integer({ description: "commits of the target branch that the source branch lacks" }),
  ),
  rebase_in_progress: Type.Optional(flag("whether it is being rebased")),
};

/** A single merge request (merge-requests 3.2). */
export const MergeRequest = Type.Object(singleFields, { $id: "MergeRequest" });

/** A merge request with the files that it changes (merge-requests 5). */
export const MergeRequestChanges = Type.Object(
  {
    ...singleFields,
    changes: arrayOf(Diff, { description: "changed files" }),
    overflow: flag("whether limits cut the list of files"),
  },
  { $id: "MergeRequestChanges" },
);

const versionFields = {
  id: Type.Integer(),
  head_commit_sha: Type.String({ description: "commit of the source branch" }),
  base_commit_sha: Type.String({ description: "commit that both branches have in common" }),
  start_commit_sha: Type.String({ description: "commit of the target branch" }),
  created_at: DateTime,
  merge_request_id: Type.Integer({ description: "id of the merge request, not its iid" }),
  state: Type.Union([Type.Literal("collected"), Type.Literal("empty")], {
    description: "whether there are commits",
  }),
  real_size: orNull(Type.String(), "number of changed files, with + where limits cut it; null without commits"),
  patch_id_sha: Type.Null({ description: "unknown" }),
};

/** A version of a merge request (merge-requests 5). */
export const Version = Type.Object(versionFields, { $id: "MergeRequestVersion" });

/** A version with its commits and files. */
export const WholeVersion = Type.Object(
  {
    ...versionFields,
    commits: arrayOf(Commit, { description: "commits, newest first" }),
    diffs: arrayOf(Diff, { description: "changed files" }),
  },
  { $id: "WholeMergeRequestVersion" },
);

/** A reviewer of a merge request (merge-requests 5). */
export const Reviewer = Type.Object(
  {
    user: BasicUser,
    state: Type.Union(
      reviewStates.map((state) => Type.Literal(state)),
      { description: "state of the review" },
    ),
    created_at: DateTime,
  },
  { $id: "Reviewer" },
);
