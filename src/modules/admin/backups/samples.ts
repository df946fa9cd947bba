import type { Samples } from "../../kernel/sample.ts";

const copiesStore = { unsuited: "copies the whole store" };
const needsBackup = { unsuited: "needs a backup" };

export const backupSamples: Samples = {
  "POST /-/backup": copiesStore,
  "GET /-/backups": { unsuited: "needs a folder for backups" },
  "POST /-/backups": copiesStore,
  "GET /-/backups/:name": needsBackup,
  "POST /-/backups/:name/verify": needsBackup,
  "DELETE /-/backups/:name": needsBackup,
};
