import { replaceFile } from "../disk.ts";
import { partsFolderOf } from "../opening/generations.ts";
import type { Migration } from "./index.ts";

/**
 * Format 1 had audit events among the documents in memory. Their segments go to `logs/`, where full ones
 * are sealed and read from disk; the files stay as they are. Copied first and removed last: not every file system
 * renames between two folders as one act.
 */
export const auditEventsBecomeALog: Migration = {
  to: 2,
  description: "audit events are read from disk instead of memory",
  async run(disk, dataFolder, manifest) {
    // One that was restored from an archive has a generation already.
    const folder = partsFolderOf(dataFolder, manifest.generation);
    const from = `${folder}/documents/audit-events`;
    const to = `${folder}/logs/audit-events`;
    const names = disk.list(from).filter((name) => name.endsWith(".json"));
    disk.makeFolder(to);
    for (const path of [folder, `${folder}/logs`]) disk.syncFolder(path);
    for (const name of names) replaceFile(disk, to, name, disk.read(`${from}/${name}`));
    for (const name of names) disk.remove(`${from}/${name}`);
    if (names.length > 0) disk.syncFolder(from);
    return manifest;
  },
};
