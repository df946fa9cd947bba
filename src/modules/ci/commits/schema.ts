import { Type } from "@sinclair/typebox";
import {
  boolean,
  contentText,
  hash,
  list,
  nullable,
  optional,
  pathText,
  projectId,
  text,
} from "../../../domain/parameters.ts";
import { Commit, CommitStats, messageCharactersMax } from "../../repositories/repositories/index.ts";
import { PipelineBasics } from "../pipelines/index.ts";

export const CommitInPath = Type.Object({
  id: projectId(),
  sha: text({ description: "commit, branch or tag" }),
  stats: optional(boolean({ description: "count the changed lines; true by default" })),
});

/** Actions of one commit. */
const actionsMax = 10_000;

/** One change of a file. The kind of the action decides about the members that it needs. */
const CommitAction = hash({
  action: optional(text({ description: "create, update, move, delete or chmod; required" })),
  file_path: optional(pathText({ description: "path of the file, for a move the new one; required" })),
  previous_path: optional(pathText({ description: "path that a file is moved from" })),
  content: optional(nullable(contentText({ description: "a moved file keeps its own without it" }))),
  encoding: optional(text({ description: "of content: text, which is the default, or base64" })),
  last_commit_id: optional(text({ description: "refuses when a later commit changed the file" })),
  execute_filemode: optional(boolean({ description: "for chmod" })),
});

/** The handler checks required parameters after the right to push to the branch, so they are optional here. */
export const NewCommit = Type.Object({
  id: projectId(),
  branch: optional(text({ description: "made when it is new; required" })),
  commit_message: optional(text({ maxLength: messageCharactersMax, description: "required" })),
  actions: optional(
    list(CommitAction, { maxItems: actionsMax, description: "each applied to the result of the one before; required" }),
  ),
  start_branch: optional(text({ description: "branch where a new one begins" })),
  start_sha: optional(text({ description: "full id of the commit where a new branch begins" })),
  start_project: optional(pathText({ takesNumber: true, description: "project of the start" })),
  author_email: optional(text({ maxLength: 255 })),
  author_name: optional(text({ maxLength: 255 })),
  stats: optional(boolean({ description: "count the changed lines; true by default" })),
  force: optional(boolean({ description: "replace the branch by the new commit on top of the start" })),
});

/** commits 2: a commit with what is known of it beside its text. */
export const CommitDetail = Type.Object(
  {
    ...Commit.properties,
    stats: Type.Optional(CommitStats),
    status: Type.Union([Type.String(), Type.Null()]),
    project_id: Type.Integer(),
    last_pipeline: Type.Union([PipelineBasics, Type.Null()]),
  },
  { $id: "CommitDetail" },
);
