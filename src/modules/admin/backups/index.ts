import { defineModule } from "../../kernel/module.ts";
import { scheduledBackup } from "./schedule.ts";
import { RunningBackup } from "./service.ts";
import { RequestedBackup } from "./service-folder.ts";

export { uncompressedSizeHeader } from "./operations.ts";
export type { BackupFolder } from "./schema.ts";
export { archiveNameAt, backUp, whenFree } from "./service.ts";
export { listArchives, RequestedBackup } from "./service-folder.ts";

export const backupsModule = defineModule({
  name: "backups",
  tag: "Backups",
  about: { Backups: "Archives of the whole store." },
  areas: ["-/backup", "-/backups"],
  operations: async () => {
    const [{ backupOperations }, { backupFolderOperations }] = await Promise.all([
      import("./operations.ts"),
      import("./operations-folder.ts"),
    ]);
    return [...backupOperations, ...backupFolderOperations];
  },
  samples: async () => (await import("./samples.ts")).backupSamples,
  services: [RunningBackup, RequestedBackup],
  cron: [scheduledBackup],
  stop: (context) => context.get(RequestedBackup).stop(),
});
