import { artifactOperations } from "./artifact-operations.ts";
import { changeOperations } from "./change-operations.ts";
import { ciJobOperations } from "./job-operations.ts";
import { leftOperations } from "./left-operations.ts";
import { readOperations } from "./operations.ts";

export { readsPipeline } from "./access.ts";
export { bridgeStart } from "./bridges.ts";
export { type CiJobRecord, ciJobs, fileVariablesOf, type Line, readLine, untouched } from "./ci-jobs.ts";
export { type PipelineRecord, type PipelineSource, pipelines } from "./collection.ts";
export { insertPipeline, type PipelineRequest, planPipeline, refusePipeline } from "./create.ts";
export { durationMsOf } from "./durations.ts";
export { refuseLongPayload, refuseLongValues } from "./given-variables.ts";
export { findJobByToken, findRunningJob } from "./job-tokens.ts";
export { type PlannedJobs, planJobs } from "./plan.ts";
export { predefinedVariables } from "./predefined.ts";
export { presentListedPipeline, presentPipeline } from "./present.ts";
export { presentListedJob } from "./present-job.ts";
export { advancePipeline, currentJobs, delayedCiJob, pipelineStart, retryByItself, setStatus } from "./progress.ts";
export { pipelineOfPush } from "./pushes.ts";
export { CiJob, ListedPipeline, Pipeline } from "./schema.ts";
export { pipelineRemoval } from "./service.ts";
export { finished, type JobStatus, nextStatus, statuses, statusOf, stepsBefore } from "./status.ts";

export const pipelineOperations = [
  ...readOperations,
  ...changeOperations,
  ...ciJobOperations,
  ...leftOperations,
  ...artifactOperations,
];
