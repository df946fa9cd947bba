import { copyFile, mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { firstGeneration } from "../domain/generation.ts";
import { StartError } from "../domain/start-error.ts";
import { lockFolder, snapshotOfStopped, systemDisk, toStartError, writeManifest } from "../store/index.ts";
import { beginGeneration, publish, removeOtherGenerations, type Staging } from "./generations.ts";
import { foldersOf, namesIn, type StoreTarget } from "./target.ts";

/**
 * Treatment of an existing store. `replaced`: `gather` begins with a copy of it without repositories, and the new store
 * replaces it.
 */
interface Existing {
  readonly existing?: "refused" | "replaced";
}

/**
 * Makes a store in an empty or missing folder. `gather` writes a new generation and syncs it; then the manifest switches to
 * that generation. On an error, everything is as before. No server starts on the rest of a killed process, and the next call
 * removes it. Throws `StartError` for a folder that is not empty and for errors of the system; their hint begins with
 * `command`.
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

/** The store only replaces files, so hard links suffice, except for the journal, which it appends to. */
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

/** Makes the folder. True when it did not exist. */
async function makeFolder(dataFolder: string): Promise<boolean> {
  try {
    return (await mkdir(dataFolder, { recursive: true, mode: 0o700 })) !== undefined;
  } catch (error) {
    throw toStartError(dataFolder, error);
  }
}

/** Removes a folder that holds nothing but the lock of this process. */
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
  throw new StartError(problem, `${command} --data DIR, with an empty or new folder`);
}

/** Throws for a storage that has repositories of any generation: they may belong to another store. */
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
