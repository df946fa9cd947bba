export { storageMove } from "./job.ts";
export { projectKind } from "./kinds.ts";
export { storageMoveOperations } from "./operations.ts";
export { scheduleIn, scheduleRest } from "./schedule.ts";
