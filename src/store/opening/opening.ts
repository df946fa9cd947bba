import { version } from "../../../package.json" with { type: "json" };
import type { Clock } from "../../domain/clock.ts";
import { firstGeneration } from "../../domain/generation.ts";
import { exitCodes, StartError } from "../../domain/start-error.ts";
import { toDateTime } from "../../lib/datetime.ts";
import type { Log } from "../../lib/log.ts";
import type { Randomness } from "../../lib/randomness.ts";
import { corruptionError } from "../corruption.ts";
import { type Disk, makeDurableFolder } from "../disk.ts";
import { journalFileNames, type RecoveredJournal } from "../journal/journal-reader.ts";
import { snapshotsFolderOf } from "../maintenance/snapshot.ts";
import { commandOf, finishSwitch, makeGenerationFolder, otherGenerations, partsFolderOf } from "./generations.ts";
import { journalFolderOf } from "./loading.ts";
import type { FolderLock } from "./lock.ts";
import { type Manifest, readManifest, type StorePlace, storeFormat, writeManifest } from "./manifest.ts";
import { toStartError } from "./start-errors.ts";

interface ManifestOptions extends StorePlace {
  readonly clock: Pick<Clock, "now">;
  readonly randomness: Randomness;
  readonly sandbox?: boolean;
}

/** Throws when the folder has an unfinished generation and no store. */
function refuseUnfinished(disk: Disk, folder: string): void {
  const [generation] = otherGenerations(disk, folder, firstGeneration);
  if (generation === undefined) return;
  const command = commandOf(disk, folder, generation);
  const what = command === undefined ? "what was to come" : `the ${command.split(" ")[1]}`;
  throw new StartError(
    `${what} into ${folder} was interrupted; it has no store yet`,
    // The process was killed before it recorded its command, so the generation is empty.
    command === undefined ? `rm -r ${partsFolderOf(folder, generation)}` : `${command} --data ${folder}`,
  );
}

/** Makes the folder if necessary, and locks it. Throws `StartError`. */
export function prepareFolder(disk: Disk, folder: string, lock: (folder: string) => FolderLock): FolderLock {
  try {
    makeDurableFolder(disk, folder);
    return lock(folder);
  } catch (error) {
    throw toStartError(folder, error);
  }
}

/** Returns the manifest of the store. Makes a new store if there is none. */
export function prepareManifest(disk: Disk, options: ManifestOptions): Manifest {
  const { folder, draft } = options;
  const existing = readManifest(disk, options);
  if (existing !== undefined) {
    if (options.sandbox === true && existing.sandbox !== true) throw noSandbox(folder);
    return existing;
  }
  const generation = draft ?? firstGeneration;
  if (draft === undefined) {
    refuseUnfinished(disk, folder);
    refuseWithoutManifest(disk, folder);
    makeGenerationFolder(disk, folder, generation);
  }
  const created = {
    format: storeFormat,
    store: options.randomness.uuid(),
    created_at: toDateTime(options.clock.now()),
    written_by: version,
    generation,
    ...(options.sandbox === true ? { sandbox: true as const } : {}),
  };
  writeManifest(disk, options, created);
  return created;
}

/** Returns the error for a store that is no sandbox: a reset would delete its data. */
function noSandbox(folder: string): StartError {
  return new StartError(
    `the store in ${folder} is no sandbox, and cannot become one`,
    "outpost serve --sandbox --data ANOTHER-FOLDER",
    { exitCode: exitCodes.usage },
  );
}

/** Throws when there is a journal without a manifest: a store existed. */
function refuseWithoutManifest(disk: Disk, folder: string): void {
  const journal = journalFolderOf(partsFolderOf(folder, firstGeneration));
  const [leftover] = journalFileNames(disk, journal);
  if (leftover === undefined) return;
  const path = `${journal}/${leftover}`.slice(folder.length + 1);
  throw corruptionError(`${folder}/manifest.json`, undefined, `it is missing, but ${path} is there`);
}

/** Removes the snapshots of a killed process, and finishes the last switch of generations. */
export async function removeLeftovers(disk: Disk, folder: string, generation: string): Promise<void> {
  const snapshots = snapshotsFolderOf(partsFolderOf(folder, generation));
  if (disk.exists(snapshots)) await disk.removeFolderLater(snapshots);
  finishSwitch(disk, folder, generation);
}

export function warnOfTornEnd(recovered: RecoveredJournal, log: Log): void {
  const torn = recovered.files.find((file) => file.tornBytes > 0);
  if (torn === undefined) return;
  log.warn(
    { file: torn.name, offset: torn.end, bytes: torn.tornBytes },
    "removed an unfinished line that no request had been answered for",
  );
}
