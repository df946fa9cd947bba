import { tokenOperations } from "./operations.ts";
import { runOperations } from "./run-operations.ts";

export { type TriggerRecord, triggers } from "./records.ts";
export { triggerRemoval } from "./removal.ts";
export { insertTrigger, removeTriggersOf } from "./service.ts";

export const triggerOperations = [...tokenOperations, ...runOperations];
