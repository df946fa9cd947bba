import { changeOperations } from "./change-operations.ts";
import { readOperations } from "./operations.ts";

export { ciJobs } from "./ci-jobs.ts";
export { pipelines } from "./collection.ts";
export { delayedCiJob, pipelineStart } from "./progress.ts";
export { pipelineOfPush } from "./pushes.ts";
export { pipelineRemoval } from "./service.ts";

export const pipelineOperations = [...readOperations, ...changeOperations];
