import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { RepositoryStorage } from "../domain/repository-storage.ts";
import { StartError } from "../domain/start-error.ts";
import { storageFolderOf, syncFolder } from "../repositories/index.ts";
import { explainUnusable, lockFolder, restoringFolderOf } from "../store/index.ts";

/** Where a store is made: the settings of the server that will run there. */
export interface EmptyTarget {
  readonly dataFolder: string;
  readonly repositoryStorages: readonly RepositoryStorage[];
}

/** The folders in which a store is gathered, until all of it is proven. */
export interface Staging {
  readonly folder: string;
  /** By the names of the storages: what belongs into their folders. */
  readonly storages: ReadonlyMap<string, string>;
}

/** What a data folder consists of; the manifest, which makes it a store, comes last. */
const partsOfStore = ["documents", "logs", "journal", "blobs"];
const partsOfStorage = ["@hashed", "@snippets"];
/** What a restore that was cut off has in its data folder. */
const partsOfCutOff = [...partsOfStore, "repositories", "restoring"];

/**
 * Makes a store in a folder that is empty or not there: `gather` puts its parts into the `restoring` folders, synced, and once it
 * has resolved they are moved in, the store's manifest last: until then there is no store. On an error everything is as it
 * was; what a killed process left is thrown away by the next one, and no server starts on it. Throws a `StartError` for a folder
 * with something in it, and for what the system has against it; `command` begins the cure.
 */
export async function makeStoreIn<R>(
  { dataFolder, repositoryStorages }: EmptyTarget,
  command: string,
  gather: (staging: Staging) => Promise<R>,
): Promise<R> {
  const storages = new Map(repositoryStorages.map((each) => [each.name, storageFolderOf(each, dataFolder)]));
  const isNewFolder = (await mkdir(dataFolder, { recursive: true, mode: 0o700 })) !== undefined;
  const lock = lockFolder(dataFolder);
  try {
    await removeCutOff(dataFolder, storages);
    await refuseFilled(dataFolder, storages, command);
    const folder = restoringFolderOf(dataFolder);
    await mkdir(folder, { mode: 0o700 });
    await syncFolder(dataFolder);
    try {
      const staged = new Map([...storages].map(([name, each]) => [name, restoringFolderOf(each)]));
      const result = await gather({ folder, storages: staged });
      await moveIn(dataFolder, storages);
      return result;
    } catch (error) {
      await removeCutOff(dataFolder, storages);
      throw error;
    }
  } catch (error) {
    if (isNewFolder) await removeFolder(dataFolder);
    throw explainUnusable(dataFolder, error);
  } finally {
    lock.release();
  }
}

/** A folder that holds nothing but the lock of this process. */
async function removeFolder(dataFolder: string): Promise<void> {
  const names = await readdir(dataFolder);
  if (names.some((name) => name !== "lock")) return;
  await rm(`${dataFolder}/lock`, { force: true });
  await rmdir(dataFolder);
}

/** What a restore that was cut off left behind: the folder was empty when that began. */
async function removeCutOff(dataFolder: string, storages: ReadonlyMap<string, string>): Promise<void> {
  const names = await namesIn(dataFolder);
  // A store, or the folder of somebody who has such names, too, stays as it is.
  const isCutOff = names.every((name) => [...partsOfCutOff, "lock"].includes(name));
  if (!names.includes("restoring") || !isCutOff) return;
  for (const folder of storages.values()) {
    if (!(await namesIn(folder)).includes("restoring")) continue;
    for (const part of partsOfStorage) await rm(`${folder}/${part}`, { recursive: true, force: true });
    await rm(restoringFolderOf(folder), { recursive: true, force: true });
  }
  // The one by which it is known comes last.
  for (const part of partsOfCutOff) await rm(`${dataFolder}/${part}`, { recursive: true, force: true });
}

async function refuseFilled(dataFolder: string, storages: ReadonlyMap<string, string>, command: string): Promise<void> {
  const found = (await namesIn(dataFolder)).find((name) => name !== "lock");
  if (found === "manifest.json" || (await namesIn(dataFolder)).includes("manifest.json")) {
    throw new StartError(
      `${dataFolder} holds a store already, and nothing was changed`,
      `${command} --data DIR, with a folder that is empty or not there`,
    );
  }
  if (found !== undefined) {
    throw new StartError(
      `${dataFolder} is not empty: ${found} is in it`,
      `${command} --data DIR, with a folder that is empty or not there`,
    );
  }
  for (const [name, folder] of storages) {
    const held = (await namesIn(folder)).find((each) => partsOfStorage.includes(each));
    if (held === undefined) continue;
    throw new StartError(
      `the folder of storage ${name} is not empty: ${held} is in ${folder}`,
      `OUTPOST_REPOSITORY_STORAGES=default,storage2=/mnt/empty ${command}`,
    );
  }
}

/** Repositories first, documents then, the manifest last: with it, there is a store. */
async function moveIn(dataFolder: string, storages: ReadonlyMap<string, string>): Promise<void> {
  for (const folder of storages.values()) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await moveParts(restoringFolderOf(folder), folder, partsOfStorage);
    await syncFolder(dirname(folder));
  }
  const staging = restoringFolderOf(dataFolder);
  await moveParts(staging, dataFolder, partsOfStore);
  await moveParts(staging, dataFolder, ["manifest.json"]);
  for (const folder of [...storages.values(), dataFolder]) {
    await rm(restoringFolderOf(folder), { recursive: true, force: true });
    await syncFolder(folder);
  }
}

async function moveParts(from: string, to: string, parts: readonly string[]): Promise<void> {
  const present = await namesIn(from);
  for (const part of parts) if (present.includes(part)) await rename(`${from}/${part}`, `${to}/${part}`);
  await syncFolder(to);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
