import { type Static, Type } from "@sinclair/typebox";
import {
  atLeastOne,
  boolean,
  dateTime,
  integer,
  list,
  longText,
  mutuallyExclusive,
  nullable,
  oneOf,
  optional,
  projectId,
  text,
} from "../../../domain/parameters.ts";

/** The limit of the real system: each of them gets a mail. */
const usersMax = 200;

const titles = () => optional(nullable(list(text(), { split: true })));
const users = () =>
  optional(nullable(list(integer(), { split: true, maxItems: usersMax, description: "community: the first alone" })));

/** The parameters of both creation and update of a merge request (merge-requests 4). */
const attributes = {
  description: optional(nullable(longText({ description: "at most 1,048,576 characters" }))),
  assignee_id: optional(nullable(integer({ description: "older form of one assignee" }))),
  assignee_ids: users(),
  reviewer_ids: users(),
  labels: titles(),
  add_labels: titles(),
  remove_labels: titles(),
  milestone_id: optional(nullable(integer({ description: "the id, not the iid; 0 clears" }))),
  milestone: optional(text({ emptyIsAbsent: true, description: "title, of the project or a group above" })),
  remove_source_branch: optional(boolean({ description: "removes it when the merge request is merged" })),
  allow_collaboration: optional(boolean({ description: "says something across forks alone" })),
  allow_maintainer_to_push: optional(boolean({ deprecated: true, description: "older name of allow_collaboration" })),
  squash: optional(boolean({ description: "joins the commits into one when it is merged" })),
  merge_after: optional(nullable(dateTime({ description: "cannot be merged before" }))),
};

export const CreateMergeRequest = Type.Object({
  id: projectId(),
  source_branch: text(),
  target_branch: text(),
  title: text({ description: "1 to 255 characters" }),
  target_project_id: optional(integer({ description: "the project itself unless said" })),
  ...attributes,
});

const updatable = {
  assignee_id: attributes.assignee_id,
  assignee_ids: attributes.assignee_ids,
  reviewer_ids: attributes.reviewer_ids,
  description: attributes.description,
  labels: attributes.labels,
  add_labels: attributes.add_labels,
  remove_labels: attributes.remove_labels,
  milestone_id: attributes.milestone_id,
  milestone: attributes.milestone,
  remove_source_branch: attributes.remove_source_branch,
  allow_collaboration: attributes.allow_collaboration,
  allow_maintainer_to_push: attributes.allow_maintainer_to_push,
  squash: attributes.squash,
  target_branch: optional(text({ allowBlank: false })),
  title: optional(text({ allowBlank: false, description: "1 to 255 characters" })),
  state_event: optional(oneOf(["close", "reopen"], { emptyIsAbsent: true })),
  discussion_locked: optional(nullable(boolean())),
  merge_after: attributes.merge_after,
};

export const MergeRequestInPath = Type.Object({
  id: projectId(),
  merge_request_iid: integer({ description: "iid of the merge request", saturate: true }),
});

export const UpdateMergeRequest = Type.Object({ ...MergeRequestInPath.properties, ...updatable });

export const attributeRules = [mutuallyExclusive("milestone_id", "milestone")];
export const updateRules = [...attributeRules, atLeastOne(...Object.keys(updatable))];

export const GetMergeRequest = Type.Object({
  ...MergeRequestInPath.properties,
  render_html: optional(boolean({ description: "adds title and description as HTML" })),
  include_diverged_commits_count: optional(
    boolean({ description: "counts commits of the target that the source lacks" }),
  ),
  include_rebase_in_progress: optional(boolean({ description: "says whether it is being rebased" })),
});

export const MergeMergeRequest = Type.Object({
  ...MergeRequestInPath.properties,
  merge_commit_message: optional(longText({ description: "message of the commit that merges" })),
  squash_commit_message: optional(longText({ description: "message of the commit that joins the others" })),
  should_remove_source_branch: optional(boolean({ description: "removes it, if possible" })),
  sha: optional(text({ emptyIsAbsent: true, description: "commit that the source branch has to be at" })),
  squash: optional(boolean({ description: "joins the commits into one, if the project lets it choose" })),
});

/** The parameters of both creation and update. */
export type MergeRequestAttributes = Static<ReturnType<typeof attributesObject>>;
const attributesObject = () => Type.Object(attributes);
