import type { Clock } from "../../domain/clock.ts";
import { StartError } from "../../domain/start-error.ts";
import { toDateTime } from "../../lib/datetime.ts";
import type { Log } from "../../lib/log.ts";
import type { Randomness } from "../../lib/randomness.ts";
import { damaged } from "../corruption.ts";
import { type Disk, makeLastingFolder, replaceFile } from "../disk.ts";
import { journalFileNames, type RecoveredJournal } from "../journal/journal-reader.ts";
import { snapshotsFolderOf } from "../maintenance/snapshot.ts";
import { migrate, pendingMigrations } from "../migrations/index.ts";
import { journalFolderOf } from "./loading.ts";
import type { FolderLock } from "./lock.ts";
import { commandName, type Manifest, readManifest, storeFormat, writeManifest } from "./manifest.ts";
import { toStartError } from "./start-errors.ts";

interface ManifestOptions {
  readonly folder: string;
  readonly clock: Pick<Clock, "now">;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly beforeMigration?: (manifest: Manifest) => Promise<void>;
}

/** Where a restore gathers what it has not verified yet. A folder with it and without a manifest holds no store. */
export function restoringFolderOf(folder: string): string {
  return `${folder}/restoring`;
}

/** With which words whoever gathers a store in `restoring` was called: told to those who find it unfinished. */
export function noteCommand(disk: Disk, folder: string, command: string): void {
  replaceFile(disk, restoringFolderOf(folder), commandName, new TextEncoder().encode(command));
}

function refuseUnfinished(disk: Disk, folder: string): void {
  const restoring = restoringFolderOf(folder);
  if (!disk.exists(restoring)) return;
  const path = `${restoring}/${commandName}`;
  const command = disk.exists(path) ? new TextDecoder().decode(disk.read(path)) : undefined;
  const what = command === undefined ? "what was to come" : `the ${command.split(" ")[1]}`;
  throw new StartError(
    `${what} into ${folder} did not come to its end; it holds no store yet`,
    // Killed before it could say so: nothing is in there.
    command === undefined ? `rm -r ${restoring}` : `${command} --data ${folder}`,
  );
}

export function prepareFolder(disk: Disk, folder: string, lock: (folder: string) => FolderLock): FolderLock {
  try {
    makeLastingFolder(disk, folder);
    return lock(folder);
  } catch (error) {
    throw toStartError(folder, error);
  }
}

export async function prepareManifest(disk: Disk, options: ManifestOptions): Promise<Manifest> {
  const { folder, log } = options;
  const existing = readManifest(disk, folder);
  if (existing !== undefined) {
    if (pendingMigrations(existing.format).length > 0) await options.beforeMigration?.(existing);
    return migrate(disk, folder, existing, log);
  }
  refuseUnfinished(disk, folder);
  const leftover = journalFileNames(disk, journalFolderOf(folder))[0];
  if (leftover !== undefined) {
    throw damaged(`${folder}/manifest.json`, undefined, `it is missing, but journal/${leftover} is there`);
  }
  const created = {
    format: storeFormat,
    store: options.randomness.uuid(),
    created_at: toDateTime(options.clock.now()),
  };
  writeManifest(disk, folder, created);
  return created;
}

/** What snapshots of a killed process held, and what the last step of a restore did not come to. */
export async function removeLeftovers(disk: Disk, folder: string): Promise<void> {
  for (const path of [snapshotsFolderOf(folder), restoringFolderOf(folder)]) {
    if (disk.exists(path)) await disk.removeFolderLater(path);
  }
}

export function warnOfTornEnd(recovered: RecoveredJournal, log: Log): void {
  const torn = recovered.files.find((file) => file.tornBytes > 0);
  if (torn === undefined) return;
  log.warn(
    { file: torn.name, offset: torn.end, bytes: torn.tornBytes },
    "cut off an unfinished line that nobody was told about",
  );
}
