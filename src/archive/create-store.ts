import { copyFile, mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { firstGeneration } from "../domain/generation.ts";
import { StartError } from "../domain/start-error.ts";
import { lockFolder, snapshotOfStopped, systemDisk, toStartError, writeManifest } from "../store/index.ts";
import { beginGeneration, publish, removeOtherGenerations, type Staging } from "./generations.ts";
import { foldersOf, namesIn, type StoreTarget } from "./target.ts";

/**
 * Treatment of a store that is in the folder. `replaced`: `gather` begins with a copy of it, without repositories, and
 * the new store replaces it.
 */
interface Existing {
  readonly existing?: "refused" | "replaced";
}

/**
 * Makes a store in a folder that is empty or not there: `gather` puts its parts into a new generation, synced, and once it has
 * resolved the manifest names that generation: until then there is no store, or the one that was there. On an error everything
 * is as it was; the next one removes what a killed process left, and no server starts on it. Throws a `StartError` for a
 * folder with something in it, and for what the system has against it; `command` begins the hint.
 */
export async function makeStoreIn<R>(
  target: StoreTarget,
  command: string,
  gather: (staging: Staging) => Promise<R>,
  { existing = "refused" }: Existing = {},
): Promise<R> {
  const { dataFolder } = target;
  const isNewFolder = await makeFolder(dataFolder);
  const lock = lockFolder(dataFolder);
  try {
    const exists = (await namesIn(dataFolder)).includes("manifest.json");
    if (!exists || existing === "replaced") await removeOtherGenerations(target);
    if (!exists || existing === "refused") await refuseFilled(dataFolder, command);
    await refuseRepositories(target, command);
    try {
      const staging = await beginGeneration(target, command);
      if (exists) await copyStopped(dataFolder, staging);
      const result = await gather(staging);
      await publish(target, staging);
      return result;
    } catch (error) {
      await removeOtherGenerations(target);
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
async function copyStopped(dataFolder: string, { folder, generation }: Staging): Promise<void> {
  const stopped = snapshotOfStopped(systemDisk, dataFolder);
  for (const { name, path } of stopped.files()) {
    const copy = join(folder, name);
    await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
    if (name.startsWith("journal/")) await copyFile(path, copy);
    else systemDisk.link(path, copy);
  }
  writeManifest(systemDisk, { folder: dataFolder, draft: generation }, { ...stopped.manifest, generation });
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

async function refuseFilled(dataFolder: string, command: string): Promise<void> {
  const names = await namesIn(dataFolder);
  const found = names.find((name) => name !== "lock");
  if (found === undefined) return;
  const problem = names.includes("manifest.json")
    ? `${dataFolder} holds a store already, and nothing was changed`
    : `${dataFolder} is not empty: ${found} is in it`;
  throw new StartError(problem, `${command} --data DIR, with a folder that is empty or not there`);
}

/** Refuses a storage with repositories of any generation: they may belong to another store. */
async function refuseRepositories(target: StoreTarget, command: string): Promise<void> {
  for (const [name, storage] of foldersOf(target, firstGeneration)) {
    const generations = (await namesIn(`${storage}/generations`)).map((each) => `${storage}/generations/${each}`);
    for (const folder of [storage, ...generations]) {
      const held = (await namesIn(folder)).find((each) => ["@hashed", "@snippets"].includes(each));
      if (held === undefined) continue;
      throw new StartError(
        `the folder of storage ${name} is not empty: ${held} is in ${folder}`,
        `OUTPOST_REPOSITORY_STORAGES=default,storage2=/mnt/empty ${command}`,
      );
    }
  }
}
