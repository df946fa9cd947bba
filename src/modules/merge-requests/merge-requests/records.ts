import { afterAllDates } from "../../../lib/datetime.ts";
import {
  bitmap,
  collection,
  field,
  multi,
  ordered,
  type RecordOf,
  record,
  text,
  unique,
} from "../../../store/index.ts";
import { iidKey, none } from "../../planning/issues/records.ts";

/** The answers to the question whether the branches merge without conflicts (merge-requests 6). */
export const mergeStatuses = [
  "unchecked",
  "checking",
  "can_be_merged",
  "cannot_be_merged",
  "cannot_be_merged_recheck",
] as const;

/** The states of a review (merge-requests 5). */
export const reviewStates = ["unreviewed", "reviewed", "requested_changes", "approved", "unapproved"] as const;

/** The wish to merge branches of a project (merge-requests 3). Fields are named as on the wire. */
export const MergeRequestRecord = record({
  id: field.whole,
  /** Counts from 1 in each target project; never used again. */
  iid: field.whole,
  /** The target project. */
  project_id: field.whole,
  source_project_id: field.nullable(field.whole),
  source_branch: field.text,
  target_branch: field.text,
  title: field.text,
  description: field.nullable(field.text),
  state: field.oneOf("opened", "closed", "merged"),
  author_id: field.whole,
  assignee_ids: field.listOf(field.whole),
  reviewer_ids: field.listOf(field.whole),
  /** The review of each reviewer; without one, it was asked for at the creation. */
  reviews: field.optional(
    field.listOf(field.object({ user_id: field.whole, state: field.oneOf(...reviewStates), created_at: field.moment })),
  ),
  /** The oldest first; left out: none. */
  approvals: field.optional(field.listOf(field.object({ user_id: field.whole, approved_at: field.moment }))),
  label_ids: field.listOf(field.whole),
  milestone_id: field.nullable(field.whole),
  /** null until it is set. */
  discussion_locked: field.nullable(field.flag),
  created_at: field.moment,
  updated_at: field.moment,
  prepared_at: field.nullable(field.moment),
  merged_at: field.nullable(field.moment),
  /** The user who has merged it. */
  merge_user_id: field.nullable(field.whole),
  closed_at: field.nullable(field.moment),
  closed_by_id: field.nullable(field.whole),
  merge_after: field.nullable(field.moment),
  merge_status: field.oneOf(...mergeStatuses),
  /** The commits that the branches were at when `merge_status` was worked out; left out: it never was. */
  checked: field.optional(
    field.object({
      head_sha: field.nullable(field.text),
      target_sha: field.nullable(field.text),
      /** A branch is gone, or there are no commits. */
      is_broken: field.flag,
      /** The target branch has commits that the source branch lacks. */
      is_behind: field.flag,
    }),
  ),
  merge_error: field.nullable(field.text),
  merge_commit_sha: field.nullable(field.text),
  squash_commit_sha: field.nullable(field.text),
  /** Said by the call that merges. */
  should_remove_source_branch: field.nullable(field.flag),
  /** Said by creation and update. */
  force_remove_source_branch: field.nullable(field.flag),
  allow_collaboration: field.flag,
  squash: field.flag,
  /** The newest of its versions. */
  version_id: field.whole,
  /** The source branch in the newest version. */
  head_sha: field.text,
  /** Seconds. */
  time_estimate: field.whole,
  /** Seconds. */
  total_time_spent: field.whole,
  /** Check boxes of the description. */
  task_completion: field.object({ count: field.whole, completed_count: field.whole }),
  /** Updated with the notes and reactions, so that lists need not count them. */
  user_notes_count: field.whole,
  upvotes: field.whole,
  downvotes: field.whole,
});
export type MergeRequestRecord = RecordOf<typeof MergeRequestRecord>;

export const mergeRequests = collection("merge-requests", MergeRequestRecord, {
  indexes: {
    iid: unique((each) => iidKey(each.project_id, each.iid)),
    number: bitmap((each) => [each.iid]),
    project_id: bitmap((each) => [each.project_id]),
    source_project_id: bitmap((each) => (each.source_project_id === null ? [] : [each.source_project_id])),
    source_branch: multi((each) => [each.source_branch]),
    target_branch: bitmap((each) => [each.target_branch]),
    /** The open ones of a branch of a project. */
    open_source: multi((each) =>
      each.state === "opened" && each.source_project_id !== null
        ? [branchKey(each.source_project_id, each.source_branch)]
        : [],
    ),
    open_target: multi((each) => (each.state === "opened" ? [branchKey(each.project_id, each.target_branch)] : [])),
    /** The open ones that a commit of their target branch would merge. */
    open_head: multi((each) =>
      each.state === "opened" ? [headKey(each.project_id, each.target_branch, each.head_sha)] : [],
    ),
    state: bitmap((each) => [each.state]),
    draft: bitmap((each) => [isDraftTitle(each.title) ? "yes" : "no"]),
    author_id: bitmap((each) => [each.author_id]),
    assignee_id: bitmap((each) => orNone(each.assignee_ids)),
    reviewer_id: bitmap((each) => orNone(each.reviewer_ids)),
    approved: bitmap((each) => [(each.approvals ?? []).length > 0 ? "yes" : "no"]),
    approved_by_id: bitmap((each) => orNone((each.approvals ?? []).map(({ user_id }) => user_id))),
    merge_user_id: bitmap((each) => (each.merge_user_id === null ? [] : [each.merge_user_id])),
    closed_by_id: bitmap((each) => (each.closed_by_id === null ? [] : [each.closed_by_id])),
    label_id: bitmap((each) => orNone(each.label_ids)),
    milestone_id: bitmap((each) => [each.milestone_id ?? none]),
    id: ordered((each) => each.id),
    created_at: ordered((each) => each.created_at),
    updated_at: ordered((each) => each.updated_at),
    merged_at: ordered((each) => each.merged_at ?? afterAllDates),
    title: ordered((each) => each.title.toLowerCase()),
    popularity: ordered((each) => each.upvotes),
    words: text({ title: (each) => each.title, description: (each) => each.description ?? "" }),
  },
  typeName: "MergeRequest",
  iidSequence: ({ project_id }) => iidSequence(project_id),
  references: {
    ...{ project_id: "projects", source_project_id: "projects", author_id: "users" },
    ...{ assignee_ids: "users", reviewer_ids: "users" },
    ...{ merge_user_id: "users", closed_by_id: "users", version_id: "merge-request-versions" },
  },
});

/** Numbers of a project's merge requests are never given twice. */
export function iidSequence(projectId: number): string {
  return `merge requests of project ${projectId}`;
}

export function branchKey(projectId: number, branch: string): string {
  return `${projectId} ${branch}`;
}

export function headKey(projectId: number, targetBranch: string, headSha: string): string {
  return `${projectId} ${headSha} ${targetBranch}`;
}

const draftMark = /^\s*(?:draft:|\[draft\]|\(draft\))\s*/i;

/** Whether a title says that the work is not finished. */
export function isDraftTitle(title: string): boolean {
  return draftMark.test(title);
}

/** The title without what says that the work is not finished. */
export function withoutDraftMark(title: string): string {
  let rest = title;
  while (isDraftTitle(rest)) rest = rest.replace(draftMark, "");
  return rest;
}

function orNone(ids: readonly number[]): readonly number[] {
  return ids.length === 0 ? [none] : ids;
}
