import { manageOperations } from "./manage-operations.ts";
import { registrationOperations } from "./operations.ts";

export { recordRunnerEvent } from "./audit.ts";
export { type RunnerInfo, type RunnerRecord, runnerManagers, runners } from "./collection.ts";
export { presentTakers } from "./present.ts";
export { Runner, RunnerManager } from "./schema.ts";
export { groupRunnerRemoval, noteContact, projectRunnerRemoval, staleManagers } from "./service.ts";
export { getRunnerByToken } from "./tokens.ts";

export const runnerOperations = [...registrationOperations, ...manageOperations];
