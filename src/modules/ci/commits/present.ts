import type { Static } from "@sinclair/typebox";
import { projectPathOf } from "../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { View } from "../../kernel/view.ts";
import { type FoundCommit, presentCommitWithStats } from "../../repositories/repositories/index.ts";
import { canReadPipeline, findPipelineOfCommit, presentPipelineBasics } from "../pipelines/index.ts";
import type { CommitDetail } from "./schema.ts";

/** A commit with its newest pipeline, if the caller may read that. */
export function presentCommitDetail(
  found: FoundCommit,
  view: View,
  { project }: { readonly project: ProjectRecord },
): Static<typeof CommitDetail> {
  const { context, caller } = view;
  const newest = findPipelineOfCommit(context.store, project, found.commit.oid);
  const pipeline = newest !== undefined && canReadPipeline(context, caller.user, newest) ? newest : undefined;
  return {
    ...presentCommitWithStats(found, view, { projectPath: projectPathOf(context.store, project) }),
    status: pipeline?.status ?? null,
    project_id: project.id,
    last_pipeline: pipeline === undefined ? null : presentPipelineBasics(pipeline, view),
  };
}
