export { backupOperations } from "./operations.ts";
export { type BackupSettings, scheduledBackups } from "./schedule.ts";
export { archiveNameAt, backUp, whenFree } from "./service.ts";
