import { type TSchema, Type } from "@sinclair/typebox";
import { ListedPipeline, Pipeline } from "../../ci/pipelines/index.ts";
import { BasicUser } from "../../core/users/index.ts";
import { Label } from "../../planning/labels/index.ts";
import { Milestone } from "../../planning/milestones/index.ts";
import { TimeStats } from "../../planning/time-tracking/index.ts";
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

/** A single merge request (merge-requests 3.2). */
export const MergeRequest = Type.Object(
  {
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
  },
  { $id: "MergeRequest" },
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
