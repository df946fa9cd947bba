import { type ArchiveManifest, restoreArchive } from "../../../archive/index.ts";
import type { Config } from "../../../config/config.ts";
import { amountOf } from "../../output/progress.ts";
import { printJson } from "../../output/table.ts";
import { print, printMessage } from "../../output/terminal.ts";
import { readWithProgress } from "./backup.ts";

/**
 * Restores an archive into the folders of the settings, and prints the result. On an error, throws `StartError`, and
 * everything is as before.
 */
export async function restore(file: string, config: Config, json: boolean): Promise<void> {
  const { files, bytes, journal_position, created_at } = await restored(file, config);
  if (json) {
    await printJson({ file, data_folder: config.dataFolder, created_at, journal_position, files, bytes });
    return;
  }
  await print(`${config.dataFolder}\n`);
  printMessage(`restored ${amountOf(files, "files")} of ${amountOf(bytes, "bytes")}, as of ${created_at}`);
  printMessage("users and tokens are as of that time; an archive does not contain initial-root-credentials");
}

/** Restores an archive before a server starts. Throws for a folder that is not empty. */
export function restored(file: string, config: Config): Promise<ArchiveManifest> {
  return restoreArchive(readWithProgress(file, "restoring"), config);
}
