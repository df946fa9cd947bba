export { notReady } from "./health.ts";
export { monitoringOperations } from "./operations.ts";
