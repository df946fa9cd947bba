import { defineModule } from "../../kernel/module.ts";
import { runnerListOperations } from "./list-operations.ts";
import { manageOperations } from "./manage-operations.ts";
import { registrationOperations } from "./operations.ts";
import { runnerManagers, runnerRegistrations, runners } from "./records.ts";
import { groupRunnerRemoval, projectRunnerRemoval, staleManagers } from "./service.ts";

export { recordRunnerEvent } from "./audit.ts";
export { getRunner } from "./change.ts";
export { presentTakers } from "./present.ts";
export {
  findManager,
  type RunnerInfo,
  type RunnerRecord,
  runnerManagers,
  runnerRegistrations,
  runners,
} from "./records.ts";
export { Runner, RunnerManagerOfJob } from "./schema.ts";
export { recordContact, recordContactOfJob } from "./service.ts";
export { getRunnerByToken } from "./tokens.ts";

export const runnersModule = defineModule({
  name: "runners",
  tag: "Runners",
  operations: [...registrationOperations, ...runnerListOperations, ...manageOperations],
  collections: [runners, runnerManagers, runnerRegistrations],
  cron: [staleManagers],
  on: [projectRunnerRemoval, groupRunnerRemoval],
});
