import { defineModule } from "../../kernel/module.ts";
import { bridgeStart } from "./bridges.ts";
import { pipelineOfPush } from "./creation/pushes.ts";
import { artifactOperations } from "./jobs/artifact-operations.ts";
import { ciJobs } from "./jobs/ci-jobs.ts";
import { changeOperations } from "./jobs/job-change-operations.ts";
import { ciJobOperations } from "./jobs/job-operations.ts";
import { leftOperations } from "./jobs/trace-operations.ts";
import { readOperations } from "./operations.ts";
import { delayedCiJob, pipelineStart } from "./progress.ts";
import { pipelines } from "./records.ts";
import { pipelineRemoval } from "./service.ts";

export { durationMsOf } from "../../../lib/text/ci-durations.ts";
export { canReadPipeline } from "./access.ts";
export { insertPipeline, type PipelineRequest, planPipeline, requirePipelineRight } from "./creation/create.ts";
export { requireShortPayload, requireShortValues } from "./creation/given-variables.ts";
export { type PlannedJobs, planJobs } from "./creation/plan.ts";
export { predefinedVariables } from "./creation/predefined-variables.ts";
export { type CiJobRecord, ciJobs, fileVariablesOf, type Line, readLine, untouched } from "./jobs/ci-jobs.ts";
export { findJobByToken, findRunningJob } from "./jobs/job-tokens.ts";
export { presentListedJob } from "./jobs/present-job.ts";
export { presentListedPipeline, presentPipeline } from "./present.ts";
export { advancePipeline, autoRetry, listCurrentJobs, updateJobStatus } from "./progress.ts";
export { type PipelineRecord, type PipelineSource, pipelines } from "./records.ts";
export { CiJob, ListedPipeline, Pipeline } from "./schema.ts";
export { finished, type JobStatus, nextStatus, statuses, statusOf, stepsBefore } from "./status.ts";

export const pipelinesModule = defineModule({
  name: "pipelines",
  tag: "Pipelines",
  operations: [...readOperations, ...changeOperations, ...ciJobOperations, ...leftOperations, ...artifactOperations],
  collections: [pipelines, ciJobs],
  jobs: [pipelineStart, delayedCiJob, bridgeStart],
  on: [pipelineRemoval, pipelineOfPush],
});
