import { firstGeneration } from "../../domain/generation.ts";
import { openingPace } from "../../lib/yield.ts";
import { type Disk, replaceFile } from "../disk.ts";
import { makeGenerationFolder, partsFolderOf } from "../opening/generations.ts";
import type { Migration } from "./index.ts";

/** A file in the new generation, until the names in the data folder are removed. */
const noteName = "moved-from-data-folder";
const collections = /^[a-z0-9-]+$/;
const kindsOfCollections = ["documents", "logs"];

/**
 * Format 2 had documents, logs, journal and blobs in the data folder itself. Each file gets a second name in the first
 * generation, and the manifest then names it: until that instant nothing is changed, whatever version comes next. Their
 * old names go once the store was loaded from the new ones. Repositories stay where they are.
 */
export const storesGetGenerations: Migration = {
  to: 3,
  description: "documents, logs, journal and blobs move into the folder of a generation",
  async run(disk, folder, manifest) {
    if (manifest.generation !== undefined) return manifest;
    const made = partsFolderOf(folder, firstGeneration);
    if (disk.exists(`${made}/${noteName}`)) await disk.removeFolderLater(made);
    makeGenerationFolder(disk, folder, firstGeneration);
    replaceFile(disk, made, noteName, new Uint8Array());
    for (const kind of kindsOfCollections) await linkFolders(disk, `${folder}/${kind}`, `${made}/${kind}`, collections);
    await linkFolders(disk, `${folder}/blobs`, `${made}/blobs`, /^[0-9a-f]{2}$/);
    await linkFiles(disk, `${folder}/journal`, `${made}/journal`);
    disk.syncFolder(made);
    return { ...manifest, generation: firstGeneration };
  },
};

async function linkFolders(disk: Disk, from: string, to: string, wanted: RegExp): Promise<void> {
  disk.makeFolder(to);
  for (const name of disk.list(from)) if (wanted.test(name)) await linkFiles(disk, `${from}/${name}`, `${to}/${name}`);
  disk.syncFolder(to);
}

async function linkFiles(disk: Disk, from: string, to: string): Promise<void> {
  const pace = openingPace();
  disk.makeFolder(to);
  for (const name of disk.list(from)) {
    disk.link(`${from}/${name}`, `${to}/${name}`);
    await pace();
  }
  disk.syncFolder(to);
}

/** Removes the old names that a migration to generations has left in the data folder, and no other folder of such a name. */
export async function removeMovedParts(disk: Disk, folder: string, generation: string): Promise<void> {
  const made = partsFolderOf(folder, generation);
  if (!disk.exists(`${made}/${noteName}`)) return;
  for (const kind of kindsOfCollections) {
    for (const name of disk.list(`${made}/${kind}`)) await disk.removeFolderLater(`${folder}/${kind}/${name}`);
    if (disk.list(`${folder}/${kind}`).length === 0) await disk.removeFolderLater(`${folder}/${kind}`);
  }
  for (const name of ["journal", "blobs", "snapshots"]) await disk.removeFolderLater(`${folder}/${name}`);
  disk.syncFolder(folder);
  disk.remove(`${made}/${noteName}`);
}
