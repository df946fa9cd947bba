import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { firstGeneration } from "../domain/generation.ts";
import type { RepositoryStorage } from "../domain/repository-storage.ts";
import { StartError } from "../domain/start-error.ts";
import { removeIncoming } from "./quarantine.ts";

/** The folders of the storages by their names, in the order of the setting. */
export type StorageFolders = ReadonlyMap<string, string>;

/**
 * Folder of a storage with the repositories of one generation of a store: inside the data folder unless the setting says otherwise.
 * The first generation has the folder itself.
 */
export function storageFolderOf({ name, folder }: RepositoryStorage, dataFolder: string, generation: string): string {
  const own = folder ?? `${dataFolder}/repositories/${name}`;
  return generation === firstGeneration ? own : `${own}/generations/${generation}`;
}

/**
 * Makes the folders that are missing. Throws `StartError` for one that cannot be used: an answer in the middle of work
 * would be too late.
 */
export function openStorages(
  storages: readonly RepositoryStorage[],
  dataFolder: string,
  generation: string,
): StorageFolders {
  const folders = new Map<string, string>();
  for (const storage of storages) {
    const { name } = storage;
    const folder = storageFolderOf(storage, dataFolder, generation);
    const holder = [...folders].find(([, taken]) => taken === folder)?.[0];
    if (holder !== undefined) throw unusable(`storages ${holder} and ${name} have the same folder ${folder}`);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (!statSync(folder).isDirectory()) throw new Error("it is no folder");
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
      removeIncoming(folder);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw unusable(`the folder of storage ${name} cannot be used: ${reason}`, error);
    }
    folders.set(name, folder);
  }
  return folders;
}

function unusable(message: string, cause?: unknown): StartError {
  return new StartError(
    message,
    (command) => `OUTPOST_REPOSITORY_STORAGES=default,storage2=/mnt/second outpost ${command}`,
    {
      cause,
    },
  );
}
