import { defineModule } from "../../kernel/module.ts";
import { runnerManagers, runnerRegistrationTokens, runners } from "./records.ts";
import { groupRunnerRemoval, projectRunnerRemoval, staleManagers } from "./service.ts";

export { recordRunnerEvent } from "./audit.ts";
export { presentTakers } from "./present.ts";
export { CreateRunner, Runner, RunnerManagerOfJob, RunnerToken, runnerInfo } from "./schema.ts";
export { recordContact, recordContactOfJob } from "./service.ts";
export { createRunner } from "./service-create.ts";
export { getRunnerByToken } from "./service-tokens.ts";
export { getRunner } from "./service-update.ts";

export const runnersModule = defineModule({
  name: "runners",
  tag: "Runners",
  about: { Runners: "Programs that run jobs, and the calls that they make." },
  areas: ["groups", "projects", "runners", "user"],
  operations: async () => {
    const [{ registrationOperations }, { runnerListOperations }, { manageOperations }] = await Promise.all([
      import("./operations.ts"),
      import("./operations-list.ts"),
      import("./operations-manage.ts"),
    ]);
    return [...registrationOperations, ...runnerListOperations, ...manageOperations];
  },
  samples: async () => (await import("./samples.ts")).runnerSamples,
  collections: [runners, runnerManagers, runnerRegistrationTokens],
  cron: [staleManagers],
  on: [projectRunnerRemoval, groupRunnerRemoval],
});
