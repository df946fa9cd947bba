import { defineModule } from "../../kernel/module.ts";
import { jobRunOperations as operationsOfRunners } from "./operations.ts";
import { runnerJobOperations } from "./operations-jobs.ts";
import { RunnerQueue } from "./runner-queue.ts";
import { blockedUserCiJobs, endsOfUsers } from "./service-blocked-users.ts";
import { ciJobTimeout } from "./service-timeout.ts";
import { stuckCiJobs } from "./stuck.ts";

export { demoRunner } from "./demo.ts";
export { JobNotifier, RunnerQueue } from "./runner-queue.ts";

export const runnerApiModule = defineModule({
  name: "runner-api",
  tag: "Runners",
  operations: [...operationsOfRunners, ...runnerJobOperations],
  services: [RunnerQueue],
  jobs: [ciJobTimeout, blockedUserCiJobs],
  cron: [stuckCiJobs],
  on: endsOfUsers,
});
