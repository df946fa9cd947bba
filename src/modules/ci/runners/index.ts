import { runnerListOperations } from "./list-operations.ts";
import { manageOperations } from "./manage-operations.ts";
import { registrationOperations } from "./operations.ts";

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
export { groupRunnerRemoval, noteContact, noteContactOfJob, projectRunnerRemoval, staleManagers } from "./service.ts";
export { getRunnerByToken } from "./tokens.ts";

export const runnerOperations = [...registrationOperations, ...runnerListOperations, ...manageOperations];
