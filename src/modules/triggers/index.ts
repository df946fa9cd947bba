export { type TriggerRecord, triggers } from "./collection.ts";
export { triggerOperations } from "./operations.ts";
export { triggerRemoval } from "./removal.ts";
export { removeTriggersOf } from "./service.ts";
