import { mkdir, open, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { RepositoryStorage } from "../domain/repository-storage.ts";
import { StartError } from "../domain/start-error.ts";
import { storageFolderOf } from "../repositories/index.ts";
import { explainUnusable, lockFolder, restoringFolderOf, storeFormat } from "../store/index.ts";
import { type ArchiveHeader, type ArchiveManifest, type Place, unreadable } from "./format.ts";
import { readArchive } from "./read.ts";

/** Where an archive is restored to: the settings of the server that will run there. */
export interface RestoreTarget {
  readonly dataFolder: string;
  readonly repositoryStorages: readonly RepositoryStorage[];
}

/** What a data folder consists of; the manifest, which makes it a store, comes last. */
const partsOfStore = ["documents", "logs", "journal", "blobs"];
const partsOfStorage = ["@hashed", "@snippets"];
/** Files on their way to the disk at the same time: file systems take several at one go. */
const syncsMax = 32;

/**
 * Restores an archive into an empty folder, and its repositories into the folders of their storages. Files are gathered in
 * `restoring` folders beside their places and synced; only once every one of them is proven by its hash, they are moved in, the
 * store's manifest last: until then there is no store. On an error everything is as it was; what a killed restore left is
 * thrown away by the next one, and no server starts on it. Throws a `StartError`.
 */
export async function restoreArchive(
  bytes: AsyncIterable<Uint8Array>,
  { dataFolder, repositoryStorages }: RestoreTarget,
): Promise<ArchiveManifest> {
  const storages = new Map(repositoryStorages.map((each) => [each.name, storageFolderOf(each, dataFolder)]));
  const isNewFolder = (await mkdir(dataFolder, { recursive: true, mode: 0o700 })) !== undefined;
  const lock = lockFolder(dataFolder);
  try {
    await removeCutOff(dataFolder, storages);
    await refuseFilled(dataFolder, storages);
    const staging = restoringFolderOf(dataFolder);
    await mkdir(staging, { mode: 0o700 });
    await syncFolder(dataFolder);
    const files = new StagedFiles(staging, storages);
    try {
      const manifest = await readArchive(bytes, {
        begin: async (header) => refuseUnfit(header, storages),
        file: (place, _size, content) => files.add(place, content),
      });
      await files.sync();
      await moveIn(dataFolder, storages);
      return manifest;
    } catch (error) {
      await files.drop();
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
  const staging = restoringFolderOf(dataFolder);
  if (!(await namesIn(dataFolder)).includes("restoring")) return;
  if ((await namesIn(dataFolder)).includes("manifest.json")) return;
  for (const folder of storages.values()) {
    if (!(await namesIn(folder)).includes("restoring")) continue;
    for (const part of partsOfStorage) await rm(`${folder}/${part}`, { recursive: true, force: true });
    await rm(restoringFolderOf(folder), { recursive: true, force: true });
  }
  for (const part of [...partsOfStore, "repositories"])
    await rm(`${dataFolder}/${part}`, { recursive: true, force: true });
  await rm(staging, { recursive: true, force: true });
}

async function refuseFilled(dataFolder: string, storages: ReadonlyMap<string, string>): Promise<void> {
  const found = (await namesIn(dataFolder)).find((name) => name !== "lock");
  if (found === "manifest.json" || (await namesIn(dataFolder)).includes("manifest.json")) {
    throw new StartError(
      `${dataFolder} holds a store already, and nothing was restored`,
      "outpost restore FILE --data DIR, with a folder that is empty or not there",
    );
  }
  if (found !== undefined) {
    throw new StartError(
      `${dataFolder} is not empty: ${found} is in it`,
      "outpost restore FILE --data DIR, with a folder that is empty or not there",
    );
  }
  for (const [name, folder] of storages) {
    const held = (await namesIn(folder)).find((each) => partsOfStorage.includes(each));
    if (held === undefined) continue;
    throw new StartError(
      `the folder of storage ${name} is not empty: ${held} is in ${folder}`,
      "OUTPOST_REPOSITORY_STORAGES=default,storage2=/mnt/empty outpost restore FILE",
    );
  }
}

function refuseUnfit(header: ArchiveHeader, storages: ReadonlyMap<string, string>): void {
  if (header.store_format > storeFormat) {
    throw new StartError(
      `the archive holds a store of format ${header.store_format}, this version reads up to ${storeFormat}`,
      `restore it with Outpost ${header.release} or later`,
    );
  }
  const unknown = header.storages.filter((name) => !storages.has(name));
  if (unknown.length === 0) return;
  throw new StartError(
    `the archive has repositories of storage ${unknown.join(", ")}, which the settings do not name`,
    `OUTPOST_REPOSITORY_STORAGES=${header.storages.join(",")} outpost restore FILE`,
  );
}

/** Files below the `restoring` folders, until they are moved in. */
class StagedFiles {
  readonly #staging: string;
  readonly #storages: ReadonlyMap<string, string>;
  readonly #syncs = new Set<Promise<void>>();
  #failure: unknown;

  constructor(staging: string, storages: ReadonlyMap<string, string>) {
    this.#staging = staging;
    this.#storages = storages;
  }

  async add(place: Place, content: AsyncIterable<Uint8Array>): Promise<void> {
    const path = `${this.#folderOf(place)}/${place.path}`;
    const isObject = place.kind === "repository" && /\.git\/objects\//.test(place.path);
    const file = await openFresh(path, isObject ? 0o444 : 0o600);
    let at = 0;
    try {
      for await (const piece of content) {
        for (let done = 0; done < piece.byteLength; ) {
          const { bytesWritten } = await file.write(piece, done, piece.byteLength - done, at);
          done += bytesWritten;
          at += bytesWritten;
        }
      }
    } catch (error) {
      await file.close();
      throw error;
    }
    if (place.kind === "repository" && place.path.endsWith(".git/HEAD")) await makeRepositoryFolders(dirname(path));
    const sync = file
      .sync()
      .finally(() => file.close())
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => this.#syncs.delete(sync));
    this.#syncs.add(sync);
    if (this.#syncs.size >= syncsMax) await Promise.race(this.#syncs);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Everything is on the disk when this resolves, names included. */
  async sync(): Promise<void> {
    await Promise.all(this.#syncs);
    if (this.#failure !== undefined) throw this.#failure;
    for (const folder of [this.#staging, ...[...this.#storages.values()].map(restoringFolderOf)]) {
      await syncFoldersBelow(folder);
    }
  }

  /** Nothing is written any more when this resolves. */
  async drop(): Promise<void> {
    await Promise.all(this.#syncs);
  }

  #folderOf(place: Place): string {
    if (place.kind === "data") return this.#staging;
    const folder = this.#storages.get(place.storage);
    if (folder === undefined) throw new Error(`storage ${place.storage} is not among those that the archive names`);
    return restoringFolderOf(folder);
  }
}

/** One that is there already is in the archive twice. */
async function openFresh(path: string, mode: number) {
  try {
    return await open(path, "wx", mode);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST" || code === "ENOTDIR" || code === "EISDIR") throw unreadable(`two files of it are ${path}`);
    if (code !== "ENOENT") throw error;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return open(path, "wx", mode);
  }
}

/** Archives hold no empty folders, and git knows a repository by them. */
async function makeRepositoryFolders(repository: string): Promise<void> {
  for (const folder of ["objects/info", "objects/pack", "refs/heads", "refs/tags"]) {
    await mkdir(`${repository}/${folder}`, { recursive: true, mode: 0o700 });
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

async function syncFoldersBelow(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (entries === undefined) return;
  for (const entry of entries) if (entry.isDirectory()) await syncFoldersBelow(`${folder}/${entry.name}`);
  await syncFolder(folder);
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
