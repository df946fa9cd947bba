import { copyFile, mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StartError } from "../domain/start-error.ts";
import { syncFolder } from "../git/index.ts";
import {
  commandName,
  lockFolder,
  noteCommand,
  restoringFolderOf,
  snapshotOfStopped,
  systemDisk,
  toStartError,
} from "../store/index.ts";
import { arrive, finishArrival, foldersOf, namesIn, partsOfStorage, type StoreTarget } from "./publish.ts";

/** The folders in which a store is gathered, until all of it is proven. */
export interface Staging {
  readonly folder: string;
  /** By the names of the storages: what belongs into their folders. */
  readonly storages: ReadonlyMap<string, string>;
}

/** What a restore that was cut off may have in its data folder. */
const partsOfCutOff = ["documents", "logs", "journal", "blobs", "repositories", "restoring"];

/** What becomes of a store that is there: a copy of it, without repositories, is what `gather` begins with, and takes its place. */
interface Existing {
  readonly existing?: "refused" | "replaced";
}

/**
 * Makes a store in a folder that is empty or not there: `gather` puts its parts into the `restoring` folders, synced, and once it
 * has resolved they take their places (`arrive`): until then there is no store, or the one that was there. On an error everything
 * is as it was; what a killed process left is thrown away by the next one, and no server starts on it. Throws a `StartError` for a
 * folder with something in it, and for what the system has against it; `command` begins the cure.
 */
export async function makeStoreIn<R>(
  target: StoreTarget,
  command: string,
  gather: (staging: Staging) => Promise<R>,
  { existing = "refused" }: Existing = {},
): Promise<R> {
  const { dataFolder } = target;
  const storages = foldersOf(target);
  const isNewFolder = await makeFolder(dataFolder);
  const lock = lockFolder(dataFolder);
  try {
    await finishArrival(target);
    await removeCutOff(dataFolder, storages);
    const isThere = existing === "replaced" && (await namesIn(dataFolder)).includes("manifest.json");
    if (!isThere) await refuseFilled(dataFolder, command);
    await refuseRepositories(storages, command);
    const folder = restoringFolderOf(dataFolder);
    await mkdir(folder, { mode: 0o700 });
    try {
      noteCommand(systemDisk, dataFolder, command);
      await syncFolder(dataFolder);
      if (isThere) await copyStopped(dataFolder, folder);
      const staged = new Map([...storages].map(([name, each]) => [name, restoringFolderOf(each)]));
      const result = await gather({ folder, storages: staged });
      await arrive(target);
      return result;
    } catch (error) {
      await removeCutOff(dataFolder, storages);
      throw error;
    }
  } catch (error) {
    if (isNewFolder) await removeFolder(dataFolder);
    throw toStartError(dataFolder, error);
  } finally {
    lock.release();
  }
}

/** Files are only ever replaced, so a second name is enough; but journals are written on. */
async function copyStopped(dataFolder: string, folder: string): Promise<void> {
  for (const { name, path } of snapshotOfStopped(systemDisk, dataFolder).files()) {
    const copy = join(folder, name);
    await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
    if (name.startsWith("journal/")) await copyFile(path, copy);
    else systemDisk.link(path, copy);
  }
}

/** Whether it was not there. */
async function makeFolder(dataFolder: string): Promise<boolean> {
  try {
    return (await mkdir(dataFolder, { recursive: true, mode: 0o700 })) !== undefined;
  } catch (error) {
    throw toStartError(dataFolder, error);
  }
}

/** A folder that holds nothing but the lock of this process. */
async function removeFolder(dataFolder: string): Promise<void> {
  const names = await readdir(dataFolder);
  if (names.some((name) => name !== "lock")) return;
  await rm(`${dataFolder}/lock`, { force: true });
  await rmdir(dataFolder);
}

/** What a process that was cut off left behind. */
async function removeCutOff(dataFolder: string, storages: ReadonlyMap<string, string>): Promise<void> {
  const names = await namesIn(dataFolder);
  if (!names.includes("restoring")) return;
  const restoring = restoringFolderOf(dataFolder);
  const gathered = await namesIn(restoring);
  if (!gathered.includes(commandName)) {
    // Cut off before it could say so; with anything else in it, somebody else made it.
    const isOurs = gathered.every((name) => name.startsWith(commandName));
    if (isOurs) await rm(restoring, { recursive: true, force: true });
    return;
  }
  const isStore = names.includes("manifest.json");
  // The folder of somebody who has such names, too, stays as it is.
  if (!isStore && !names.every((name) => [...partsOfCutOff, "lock"].includes(name))) return;
  for (const folder of storages.values()) {
    if (!(await namesIn(folder)).includes("restoring")) continue;
    const parts = isStore ? [] : partsOfStorage;
    for (const part of [...parts, "restoring"]) await rm(`${folder}/${part}`, { recursive: true, force: true });
  }
  // The one by which it is known comes last.
  for (const name of gathered.filter((each) => each !== commandName)) {
    await rm(`${restoring}/${name}`, { recursive: true, force: true });
  }
  for (const part of isStore ? ["restoring"] : partsOfCutOff) {
    await rm(`${dataFolder}/${part}`, { recursive: true, force: true });
  }
}

async function refuseFilled(dataFolder: string, command: string): Promise<void> {
  const names = await namesIn(dataFolder);
  const found = names.find((name) => name !== "lock");
  if (found === undefined) return;
  const problem = names.includes("manifest.json")
    ? `${dataFolder} holds a store already, and nothing was changed`
    : `${dataFolder} is not empty: ${found} is in it`;
  throw new StartError(problem, `${command} --data DIR, with a folder that is empty or not there`);
}

async function refuseRepositories(storages: ReadonlyMap<string, string>, command: string): Promise<void> {
  for (const [name, folder] of storages) {
    const held = (await namesIn(folder)).find((each) => partsOfStorage.includes(each));
    if (held === undefined) continue;
    throw new StartError(
      `the folder of storage ${name} is not empty: ${held} is in ${folder}`,
      `OUTPOST_REPOSITORY_STORAGES=default,storage2=/mnt/empty ${command}`,
    );
  }
}
