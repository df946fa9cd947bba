import { Type } from "@sinclair/typebox";
import { boolean, optional, projectId, text } from "../../../domain/parameters.ts";
import { Commit, CommitStats } from "../../repositories/repositories/index.ts";
import { PipelineBasics } from "../pipelines/index.ts";

export const CommitInPath = Type.Object({
  id: projectId(),
  sha: text({ description: "commit, branch or tag" }),
  stats: optional(boolean({ description: "count the changed lines; true by default" })),
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
