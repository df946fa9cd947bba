import { defineModule } from "../../kernel/module.ts";
import { triggers } from "./records.ts";
import { tokenOperations } from "./operations.ts";
import { runOperations } from "./run-operations.ts";

export { type TriggerRecord, triggers } from "./records.ts";
export { triggerRemoval } from "./removal.ts";
export { insertTrigger, removeTriggersOf } from "./service.ts";

export const triggersModule = defineModule({
  name: "triggers",
  tag: "Pipeline triggers",
  operations: [...tokenOperations, ...runOperations],
  collections: [triggers],
});
