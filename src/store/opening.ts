import type { Clock } from "../domain/clock.ts";
import { toDateTime } from "../domain/datetime.ts";
import type { Log } from "../domain/log.ts";
import type { Randomness } from "../domain/randomness.ts";
import { damaged } from "./damage.ts";
import { type Disk, makeLastingFolder } from "./disk.ts";
import { journalFileNames, type RecoveredJournal } from "./journal-reader.ts";
import { journalFolderOf } from "./loading.ts";
import type { FolderLock } from "./lock.ts";
import { type Manifest, readManifest, storeFormat, writeManifest } from "./manifest.ts";
import { migrate } from "./migrations/index.ts";
import { explainUnusable } from "./unusable.ts";

interface ManifestOptions {
  readonly folder: string;
  readonly clock: Pick<Clock, "now">;
  readonly randomness: Randomness;
  readonly log: Log;
}

export function prepareFolder(disk: Disk, folder: string, lock: (folder: string) => FolderLock): FolderLock {
  try {
    makeLastingFolder(disk, folder);
    return lock(folder);
  } catch (error) {
    throw explainUnusable(folder, error);
  }
}

export function prepareManifest(disk: Disk, options: ManifestOptions): Manifest {
  const { folder, log } = options;
  const existing = readManifest(disk, folder);
  if (existing !== undefined) return migrate(disk, folder, existing, log);
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

export function warnOfTornEnd(recovered: RecoveredJournal, log: Log): void {
  const torn = recovered.files.find((file) => file.tornBytes > 0);
  if (torn === undefined) return;
  log.warn(
    { file: torn.name, offset: torn.end, bytes: torn.tornBytes },
    "cut off an unfinished line that nobody was told about",
  );
}
