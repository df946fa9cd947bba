export { backupOperations } from "./operations.ts";
export { archiveNameAt, backUp } from "./service.ts";
