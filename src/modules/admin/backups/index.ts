import { defineModule } from "../../kernel/module.ts";
import { backupOperations } from "./operations.ts";
import { RunningBackup } from "./service.ts";

export { uncompressedSizeHeader } from "./operations.ts";
export { type BackupSettings, scheduledBackups } from "./schedule.ts";
export { archiveNameAt, backUp, whenFree } from "./service.ts";

export const backupsModule = defineModule({
  name: "backups",
  tag: "Backups",
  operations: backupOperations,
  services: [RunningBackup],
});
