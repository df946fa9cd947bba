import { jobRunOperations as operationsOfRunners } from "./operations.ts";
import { runnerJobOperations } from "./runner-jobs.ts";

export { demoRunner } from "./demo.ts";
export { JobNews } from "./runner-queue.ts";
export { stuckCiJobs } from "./stuck.ts";
export { ciJobTimeout } from "./timeout.ts";

export const jobRunOperations = [...operationsOfRunners, ...runnerJobOperations];
