import { defineModule } from "../../kernel/module.ts";
import { storageMove } from "./job.ts";
import { storageMoveOperations } from "./operations.ts";
import { scheduleRest } from "./service-schedule.ts";

export { storageMove } from "./job.ts";
export { projectKind } from "./kinds.ts";
export { scheduleIn } from "./service-schedule.ts";

export const storageMovesModule = defineModule({
  name: "storage-moves",
  tag: "Repository storage moves",
  operations: storageMoveOperations,
  jobs: [storageMove, scheduleRest],
});
