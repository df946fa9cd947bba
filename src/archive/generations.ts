import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { firstGeneration } from "../domain/generation.ts";
import { makeDurableFolder, syncFolder } from "../git/index.ts";
import {
  commandName,
  generationsFolderOf,
  makeGenerationFolder,
  nextGeneration,
  noteCommand,
  otherGenerations,
  partsFolderOf,
  readManifest,
  switchTo,
  systemDisk,
} from "../store/index.ts";
import { foldersOf, namesIn, type StoreTarget } from "./target.ts";

/** A generation that is being made. */
export interface Staging {
  readonly generation: string;
  /** The folder of its documents, logs, journal and blobs. */
  readonly folder: string;
  /** The folder of its repositories, per storage name. */
  readonly storages: ReadonlyMap<string, string>;
}

/** Makes the folder of a new generation, and records the command in it. */
export async function beginGeneration(target: StoreTarget, command: string): Promise<Staging> {
  const { dataFolder } = target;
  const generation = nextGeneration(systemDisk, dataFolder);
  const folder = partsFolderOf(dataFolder, generation);
  makeGenerationFolder(systemDisk, dataFolder, generation);
  noteCommand(systemDisk, dataFolder, generation, command);
  return { generation, folder, storages: foldersOf(target, generation) };
}

/** Switches to a complete, synced generation and removes the one before it. */
export async function publish(target: StoreTarget, { generation, folder, storages }: Staging): Promise<void> {
  for (const storage of storages.values()) {
    await makeDurableFolder(storage);
    // A killed process may have made the folders without a sync.
    for (let at = dirname(storage), left = 3; left > 0; at = dirname(at), left -= 1) await syncFolder(at);
  }
  await syncFolder(folder);
  switchTo(systemDisk, target.dataFolder, generation);
  await removeOtherGenerations(target);
}

/** Removes the rest of interrupted commands, and generations that are no longer in use. The caller holds the lock. */
export async function removeOtherGenerations(target: StoreTarget): Promise<void> {
  const { dataFolder } = target;
  const manifest = readManifest(systemDisk, { folder: dataFolder });
  const others = otherGenerations(systemDisk, dataFolder, manifest?.generation);
  if (manifest === undefined && !(await areAllCutOff(dataFolder, others))) return;
  for (const generation of others) {
    // The first generation uses the folders of the storages directly.
    if (generation !== firstGeneration) await removeRepositories(target, generation);
    await removeParts(partsFolderOf(dataFolder, generation));
  }
  await removeIfEmpty(generationsFolderOf(dataFolder));
}

/** True when a folder without a store has only the rest of interrupted commands. Other folders are not touched. */
async function areAllCutOff(dataFolder: string, generations: readonly string[]): Promise<boolean> {
  const made = ["lock", "generations", "repositories"];
  if (!(await namesIn(dataFolder)).every((name) => made.includes(name))) return false;
  for (const generation of generations) {
    const names = await namesIn(partsFolderOf(dataFolder, generation));
    // The command was interrupted before it wrote the file; any other file is of another program.
    if (!names.includes(commandName) && !names.every((name) => name.startsWith(commandName))) return false;
  }
  return true;
}

async function removeRepositories(target: StoreTarget, generation: string): Promise<void> {
  for (const [name, folder] of foldersOf(target, generation)) {
    await rm(folder, { recursive: true, force: true });
    await removeIfEmpty(dirname(folder));
    if (target.repositoryStorages.find((each) => each.name === name)?.folder !== undefined) continue;
    for (const above of [dirname(dirname(folder)), `${target.dataFolder}/repositories`]) await removeIfEmpty(above);
  }
}

/** Removes a generation. The file that identifies it goes last. */
async function removeParts(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (name !== commandName) await rm(`${folder}/${name}`, { recursive: true, force: true });
  }
  await rm(folder, { recursive: true, force: true });
}

async function removeIfEmpty(folder: string): Promise<void> {
  if ((await namesIn(folder)).length === 0) await rm(folder, { recursive: true, force: true });
}
