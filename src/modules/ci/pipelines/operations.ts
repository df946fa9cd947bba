import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { inProject } from "../../core/access/index.ts";
import { created, ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentBridge, presentListedJob } from "./jobs/present.ts";
import { requireBuildReader } from "./policy.ts";
import { presentListedPipeline, presentPipeline } from "./present.ts";
import {
  Bridge,
  CiJob,
  CreatePipeline,
  JobNeeds,
  LatestPipeline,
  ListedPipeline,
  ListPipelineJobs,
  ListPipelines,
  Pipeline,
  PipelineInPath,
} from "./schema.ts";
import { createPipeline } from "./service.ts";
import {
  getLatestPipeline,
  getPipeline,
  listBridges,
  listNeeds,
  listPipelineJobs,
  listPipelines,
} from "./service-list.ts";

const path = "/projects/:id/pipelines";
const onePath = `${path}/:pipeline_id`;
const readers = inProject(accessLevels.none, { anonymous: true });

/** triggers-and-pipelines 3: reading, and making one. */
export const readOperations = [
  operation({
    method: "GET",
    path,
    summary: "List the pipelines of a project",
    who: readers,
    params: ListPipelines,
    answer: pageOf(ListedPipeline),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params, page } = call;
      requireBuildReader(context, caller, project);
      const found = listPipelines(context.store, project, params, page);
      return mapPage(found, (pipeline) => presentListedPipeline(pipeline, call));
    },
  }),

  operation({
    method: "GET",
    path: `${path}/latest`,
    summary: "Get the latest pipeline of a branch or tag",
    who: readers,
    params: LatestPipeline,
    answer: ok(Pipeline),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params } = call;
      requireBuildReader(context, caller, project);
      return presentPipeline(getLatestPipeline(context.store, project, params.ref), call);
    },
  }),

  operation({
    method: "GET",
    path: onePath,
    summary: "Get a pipeline",
    who: readers,
    params: PipelineInPath,
    answer: ok(Pipeline),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params } = call;
      requireBuildReader(context, caller, project);
      return presentPipeline(getPipeline(context.store, project, params.pipeline_id), call);
    },
  }),

  operation({
    method: "GET",
    path: `${onePath}/jobs`,
    summary: "List the jobs of a pipeline",
    who: readers,
    takesJobToken: "builds",
    params: ListPipelineJobs,
    answer: pageOf(CiJob),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params, page } = call;
      requireBuildReader(context, caller, project);
      const pipeline = getPipeline(context.store, project, params.pipeline_id);
      const found = listPipelineJobs(context.store, pipeline, params, page);
      return mapPage(found, (job) => presentListedJob(job, call));
    },
  }),

  operation({
    method: "GET",
    path: `${onePath}/bridges`,
    summary: "List the trigger jobs of a pipeline",
    who: readers,
    params: ListPipelineJobs,
    answer: pageOf(Bridge),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params, page } = call;
      requireBuildReader(context, caller, project);
      const pipeline = getPipeline(context.store, project, params.pipeline_id);
      const found = listBridges(context.store, pipeline, params, page);
      return mapPage(found, (bridge) => presentBridge(bridge, call));
    },
  }),

  operation({
    method: "GET",
    path: `/-${onePath}/needs`,
    root: true,
    http: { partOf: "console" },
    summary: "List what each job of a pipeline needs",
    who: readers,
    params: PipelineInPath,
    answer: ok(Type.Array(JobNeeds)),
    failures: ["forbidden"],
    handle({ context, caller, project, params }) {
      requireBuildReader(context, caller, project);
      return listNeeds(context.store, getPipeline(context.store, project, params.pipeline_id));
    },
  }),

  operation({
    method: "POST",
    path: "/projects/:id/pipeline",
    summary: "Create a pipeline",
    who: inProject(accessLevels.developer),
    params: CreatePipeline,
    answer: created(Pipeline),
    failures: ["invalid"],
    async handle(call) {
      const { context, caller, project, params, baseUrl } = call;
      const variables = (params.variables ?? []).map((given) => ({ variable_type: "env_var" as const, ...given }));
      const { ref, inputs } = params;
      const wanted = { ref, variables, ...(inputs === undefined ? {} : { inputs }) };
      const pipeline = await createPipeline(context, caller, project, wanted, baseUrl);
      return presentPipeline(pipeline, call);
    },
  }),
];
