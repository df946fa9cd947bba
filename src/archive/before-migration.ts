import { mkdir } from "node:fs/promises";
import { StartError } from "../domain/start-error.ts";
import { writeArchiveFile } from "./file.ts";
import { archiveOfStopped } from "./stopped.ts";
import type { StoreTarget } from "./target.ts";

/**
 * The archive of a store as it is before its format changes, in `folder`: the way back to the version that wrote it. Resolves to
 * its path; one of this very state that is there already is enough. The caller holds the lock. Throws a `StartError` when it
 * cannot be written, since without it nothing is to be changed.
 */
export async function backUpBeforeMigration(target: StoreTarget, folder: string, created_at: string): Promise<string> {
  const { manifest, position, pieces } = archiveOfStopped(target, created_at);
  // Stores may share the folder.
  const name = `outpost-${manifest.store.slice(0, 8)}-format-${manifest.format}-transaction-${position}.tar.gz`;
  const file = `${folder}/${name}`;
  try {
    if (await Bun.file(file).exists()) return file;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeArchiveFile(file, pieces);
    return file;
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `${target.dataFolder} has the older format ${manifest.format}, and the backup before its migration cannot be written: ${reason}`,
      `outpost migrate --backup-folder DIR, with a folder on another disk; or free some space in ${folder}`,
      { cause: error },
    );
  }
}
