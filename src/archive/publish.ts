import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { RepositoryStorage } from "../domain/repository-storage.ts";
import { storageFolderOf, syncFolder } from "../git/index.ts";
import { arrivingFolderOf, isArriving, restoringFolderOf, systemDisk } from "../store/index.ts";

/** Where a store is made: the settings of the server that will run there. */
export interface StoreTarget {
  readonly dataFolder: string;
  readonly repositoryStorages: readonly RepositoryStorage[];
}

export const partsOfStorage = ["@hashed", "@snippets"];

/** What a staging folder has for itself. */
const ofStaging = ["lock", "command"];

/** By the names of the storages. */
export function foldersOf({ dataFolder, repositoryStorages }: StoreTarget): ReadonlyMap<string, string> {
  return new Map(repositoryStorages.map((each) => [each.name, storageFolderOf(each, dataFolder)]));
}

/**
 * Everything in the `restoring` folders is whole and on the disk: it takes the place of what is there. The first rename is the
 * instant at which that is so; who is cut off behind it leaves the rest to `finishArrival`.
 */
export async function arrive(target: StoreTarget): Promise<void> {
  const { dataFolder } = target;
  await rename(restoringFolderOf(dataFolder), arrivingFolderOf(dataFolder));
  await syncFolder(dataFolder);
  await finishArrival(target);
}

/** Each step may have been done before. Repositories first, documents then, the manifest last: with it, there is a store. */
export async function finishArrival(target: StoreTarget): Promise<void> {
  const { dataFolder } = target;
  const arriving = arrivingFolderOf(dataFolder);
  if (!isArriving(systemDisk, dataFolder)) return;
  const storages = [...foldersOf(target).values()];
  for (const folder of storages) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await moveAll(restoringFolderOf(folder), folder);
    await syncFolder(dirname(folder));
  }
  await moveAll(arriving, dataFolder);
  for (const folder of storages) {
    await rm(restoringFolderOf(folder), { recursive: true, force: true });
    await syncFolder(folder);
  }
  // The one by which it is known comes last.
  await rm(`${arriving}/lock`, { force: true });
  await rm(arriving, { recursive: true, force: true });
  await syncFolder(dataFolder);
}

async function moveAll(from: string, to: string): Promise<void> {
  const names = (await namesIn(from)).filter((name) => !ofStaging.includes(name));
  const isManifest = (name: string) => name === "manifest.json";
  for (const part of [names.filter((name) => !isManifest(name)), names.filter(isManifest)]) {
    for (const name of part) {
      await rm(`${to}/${name}`, { recursive: true, force: true });
      await rename(`${from}/${name}`, `${to}/${name}`);
    }
    await syncFolder(to);
  }
}

export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
