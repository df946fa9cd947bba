export { monitoringOperations } from "./operations.ts";
