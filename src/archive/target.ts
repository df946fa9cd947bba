import { readdir } from "node:fs/promises";
import type { RepositoryStorage } from "../domain/repository-storage.ts";
import { storageFolderOf } from "../git/index.ts";

/** The location of a new store: the settings of its later server. */
export interface StoreTarget {
  readonly dataFolder: string;
  readonly repositoryStorages: readonly RepositoryStorage[];
}

/** Returns the repository folders of a generation, per storage name. */
export function foldersOf(
  { dataFolder, repositoryStorages }: StoreTarget,
  generation: string,
): ReadonlyMap<string, string> {
  return new Map(repositoryStorages.map((each) => [each.name, storageFolderOf(each, dataFolder, generation)]));
}

/** Returns the names in a folder; an empty list when it does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
