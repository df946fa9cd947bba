import { defineModule } from "../../kernel/module.ts";
import { jobRunOperations as operationsOfRunners } from "./operations.ts";
import { runnerJobOperations } from "./runner-jobs.ts";
import { RunnerQueue } from "./runner-queue.ts";
import { stuckCiJobs } from "./stuck.ts";
import { ciJobTimeout } from "./timeout.ts";

export { demoRunner } from "./demo.ts";
export { JobNotifier, RunnerQueue } from "./runner-queue.ts";

export const runnerApiModule = defineModule({
  name: "runner-api",
  tag: "Runners",
  operations: [...operationsOfRunners, ...runnerJobOperations],
  services: [RunnerQueue],
  jobs: [ciJobTimeout],
  cron: [stuckCiJobs],
});
