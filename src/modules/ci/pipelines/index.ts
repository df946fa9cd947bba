import { defineModule } from "../../kernel/module.ts";
import { bridgeStart } from "./bridges.ts";
import { CiFileWork, PlanQueue } from "./creation/plan-queue.ts";
import { pipelineOfPush } from "./creation/pushes.ts";
import { ciJobEvents, pipelineEvents } from "./events.ts";
import { projectArtifactsDeletion } from "./jobs/service-artifacts.ts";
import { jobCoverage } from "./jobs/service-coverage.ts";
import { pipelines } from "./records.ts";
import { ciJobs } from "./records-jobs.ts";
import { pipelineRemoval } from "./service.ts";
import { pipelineCancellation } from "./service-cancel.ts";
import { delayedCiJob, PipelinesAdvancedLater, pipelineStart } from "./service-progress.ts";

export { durationMsOf } from "../../../lib/text/ci-durations.ts";
export { ciFilePathOf } from "./creation/ci-files.ts";
export { requireShortPayload, requireShortValues } from "./creation/given-variables.ts";
export { type PlannedJobs, planJobs } from "./creation/plan.ts";
export { jobFactsOf, PredefinedVariables } from "./creation/predefined-variables.ts";
export { findRef } from "./creation/refs.ts";
export {
  insertPipeline,
  type PipelineRequest,
  type PlannedPipeline,
  planPipeline,
  requirePipelineRight,
} from "./creation/service-create.ts";
export { ciJobEvents, pipelineEvents } from "./events.ts";
export { baseUrlOf } from "./job-variables.ts";
export { findDependencies, listDependencies } from "./jobs/dependencies.ts";
export { tierOf } from "./jobs/environment-names.ts";
export { type FailureReason, failureReasons } from "./jobs/failure-reasons.ts";
export { presentListedJobBasics } from "./jobs/present.ts";
export { findJobByToken, findRunningJob } from "./jobs/service-tokens.ts";
export {
  canReadBuilds,
  canReadPipeline,
  canSetVariables,
  canUpdateRef,
  hasJobsEnabled,
  isProtectedRef,
  type RefName,
  requireBuildReader,
  requireRefUpdater,
} from "./policy.ts";
export { presentListedPipeline, presentPipeline, presentPipelineBasics } from "./present.ts";
export { CiJob, JobBasics, ListedPipeline, Pipeline, PipelineBasics } from "./schema.ts";
export { findPipelineOfCommit } from "./service-list.ts";
export { advancePipeline, autoRetry, isPipelineFull, listCurrentJobs, updateJobStatus } from "./service-progress.ts";
export { finished, type JobStatus, nextStatus, statuses, statusOf, stepsBefore } from "./status.ts";

export const pipelinesModule = defineModule({
  name: "pipelines",
  tag: "Pipelines",
  about: { Pipelines: "Pipelines and jobs of projects, with their traces and artifacts." },
  areas: ["-/ci-schema", "-/projects", "job", "projects"],
  operations: async () => {
    const [{ ciJobOperations }, { artifactOperations }, { changeOperations }, { traceOperations }, lint, read] =
      await Promise.all([
        import("./jobs/operations.ts"),
        import("./jobs/operations-artifacts.ts"),
        import("./jobs/operations-changes.ts"),
        import("./jobs/operations-trace.ts"),
        import("./lint/operations.ts"),
        import("./operations.ts"),
      ]);
    return [
      ...read.readOperations,
      ...lint.lintOperations,
      ...changeOperations,
      ...ciJobOperations,
      ...traceOperations,
      ...artifactOperations,
    ];
  },
  samples: async () => (await import("./samples.ts")).pipelineSamples,
  services: [PipelinesAdvancedLater, PlanQueue, CiFileWork],
  collections: [pipelines, ciJobs],
  jobs: [pipelineStart, delayedCiJob, jobCoverage, bridgeStart, pipelineCancellation, projectArtifactsDeletion],
  events: [...pipelineEvents.all, ...ciJobEvents.all],
  on: [pipelineRemoval, pipelineOfPush],
});
