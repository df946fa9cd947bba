import { readdir } from "node:fs/promises";
import type { RepositoryStorage } from "../domain/repository-storage.ts";
import { storageFolderOf } from "../git/index.ts";

/** The place of a new store: the settings of the server that will run there. */
export interface StoreTarget {
  readonly dataFolder: string;
  readonly repositoryStorages: readonly RepositoryStorage[];
}

/** The folders of the storages for one generation, by their names. */
export function foldersOf(
  { dataFolder, repositoryStorages }: StoreTarget,
  generation: string,
): ReadonlyMap<string, string> {
  return new Map(repositoryStorages.map((each) => [each.name, storageFolderOf(each, dataFolder, generation)]));
}

/** Names in a folder; none where there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
