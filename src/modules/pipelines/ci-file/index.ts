export { ExpansionRoom, expanded } from "./expansion.ts";
export type { Variables } from "./expressions.ts";
export type { JobPlan, When } from "./jobs.ts";
export { Patterns } from "./patterns.ts";
export { type CiFile, readCiFile } from "./read.ts";
export { admitPipeline, type Occasion, type SelectedJob, selectJobs } from "./selection.ts";
export type { TriggerPlan } from "./trigger.ts";
export { CiFileError } from "./values.ts";
