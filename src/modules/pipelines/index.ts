import { changeOperations } from "./change-operations.ts";
import { ciJobOperations } from "./job-operations.ts";
import { readOperations } from "./operations.ts";

export { type CiJobRecord, ciJobs } from "./ci-jobs.ts";
export { type PipelineRecord, pipelines } from "./collection.ts";
export { insertPipeline, type PipelineRequest, planPipeline, refusePipeline } from "./create.ts";
export { digestOf, findJobByToken, findRunningJob } from "./job-tokens.ts";
export { presentPipeline } from "./present.ts";
export { delayedCiJob, pipelineStart } from "./progress.ts";
export { pipelineOfPush } from "./pushes.ts";
export { Pipeline } from "./schema.ts";
export { pipelineRemoval } from "./service.ts";

export const pipelineOperations = [...readOperations, ...changeOperations, ...ciJobOperations];
