export { operationsOnTimeOf } from "./operations.ts";
export { presentTimeStats } from "./present.ts";
export { TimeStats } from "./schema.ts";
export { type SpentTime, withSpentTime } from "./service.ts";
