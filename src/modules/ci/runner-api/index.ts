import { defineModule } from "../../kernel/module.ts";
import { demoRunner } from "./demo.ts";
import { RunnerQueue } from "./runner-queue.ts";
import { blockedUserCiJobs, endsOfUsers } from "./service-blocked-users.ts";
import { ciJobTimeout } from "./service-timeout.ts";
import { stuckCiJobs } from "./stuck.ts";

export { JobNotifier, RunnerQueue } from "./runner-queue.ts";

export const runnerApiModule = defineModule({
  name: "runner-api",
  tag: "Runners",
  areas: ["jobs", "runners"],
  operations: async () => {
    const [{ jobRunOperations }, { runnerJobOperations }] = await Promise.all([
      import("./operations.ts"),
      import("./operations-jobs.ts"),
    ]);
    return [...jobRunOperations, ...runnerJobOperations];
  },
  samples: async () => (await import("./samples.ts")).runnerApiSamples,
  services: [RunnerQueue],
  jobs: [ciJobTimeout, blockedUserCiJobs],
  cron: [stuckCiJobs, demoRunner],
  on: endsOfUsers,
  stop: (context) => context.get(RunnerQueue).close(),
});
