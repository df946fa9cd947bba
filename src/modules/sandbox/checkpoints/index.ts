import { defineModule } from "../../kernel/module.ts";
import { checkpointOperations } from "./operations.ts";

export { endInterrupted, ensureFirstState, hasFirstState, undoneIfRefused } from "./service.ts";

export const checkpointsModule = defineModule({
  name: "checkpoints",
  tag: "Sandbox",
  operations: checkpointOperations,
});
