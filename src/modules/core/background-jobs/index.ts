import { defineModule } from "../../kernel/module.ts";
import { jobs } from "./records.ts";

export {
  type CronJob,
  daily,
  type JobKind,
  type JobRun,
  jobKind,
  type LongWork,
  type Schedule,
} from "../../kernel/job.ts";
export { presentJob } from "./present.ts";
export {
  cancelJob,
  countJobs,
  countJobsOf,
  enqueueJob,
  findFirstQueued,
  findNextQueued,
  type JobCount,
  listJobs,
  type NewJob,
} from "./service.ts";
export {
  backOffMs,
  failAttempt,
  findCurrentJob,
  finishJob,
  listRunningJobs,
  recordProgress,
  startJob,
  undoAttempt,
} from "./service-states.ts";
export { Slice } from "./slice.ts";

export const backgroundJobsModule = defineModule({
  name: "background-jobs",
  tag: "Monitoring",
  areas: ["-/jobs"],
  operations: async () => (await import("./operations.ts")).jobOperations,
  samples: async () => (await import("./samples.ts")).backgroundJobSamples,
  collections: [jobs],
});
