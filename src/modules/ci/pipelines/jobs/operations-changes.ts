import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../../domain/caller.ts";
import { inProject } from "../../../core/access/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { created, noContent, ok, operation } from "../../../kernel/operation.ts";
import { presentPipeline } from "../present.ts";
import type { PipelineRecord } from "../records.ts";
import { Pipeline, PipelineInPath, PipelineVariable, RenamePipeline } from "../schema.ts";
import { cancelPipeline, deletePipeline, listPipelineVariables, retryPipeline, updatePipeline } from "../service.ts";
import { getPipeline } from "../service-list.ts";

const onePath = "/projects/:id/pipelines/:pipeline_id";

/** triggers-and-pipelines 3: what is done with one pipeline. */
export const changeOperations = [
  operation({
    method: "GET",
    path: `${onePath}/variables`,
    summary: "List the variables of a pipeline",
    who: inProject(accessLevels.none),
    params: PipelineInPath,
    answer: ok(Type.Array(PipelineVariable)),
    failures: ["forbidden"],
    handle({ context, caller, project, params }) {
      return listPipelineVariables(context, caller, project, getPipeline(context.store, project, params.pipeline_id));
    },
  }),

  operation({
    method: "PUT",
    path: `${onePath}/metadata`,
    summary: "Update the metadata of a pipeline",
    who: inProject(accessLevels.developer),
    takesJobToken: "builds",
    params: RenamePipeline,
    answer: ok(Pipeline),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, project, params } = call;
      const pipeline = getPipeline(context.store, project, params.pipeline_id);
      return presentPipeline(updatePipeline(context, caller, pipeline, project, params.name), call);
    },
  }),

  actionOperation("cancel", "Cancel the jobs of a pipeline", ok, cancelPipeline),
  actionOperation("retry", "Retry the failed and canceled jobs of a pipeline", created, retryPipeline),

  operation({
    method: "DELETE",
    path: onePath,
    summary: "Delete a pipeline and its jobs",
    who: inProject(accessLevels.owner),
    params: PipelineInPath,
    answer: noContent(),
    handle({ context, caller, project, params, unmodifiedSince }) {
      const pipeline = getPipeline(context.store, project, params.pipeline_id);
      deletePipeline(context, caller, project, pipeline, unmodifiedSince);
    },
  }),
];

function actionOperation(
  action: "cancel" | "retry",
  summary: string,
  answer: typeof ok | typeof created,
  act: (context: Context, caller: SignedInCaller, pipeline: PipelineRecord, project: ProjectRecord) => PipelineRecord,
) {
  return operation({
    method: "POST",
    path: `${onePath}/${action}`,
    summary,
    who: inProject(accessLevels.developer),
    params: PipelineInPath,
    answer: answer(Pipeline),
    handle(call) {
      const { context, caller, project, params } = call;
      const pipeline = act(context, caller, getPipeline(context.store, project, params.pipeline_id), project);
      return presentPipeline(pipeline, call);
    },
  });
}
