import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { StartError } from "../domain/start-error.ts";
import { platform } from "../lib/platform/index.ts";
import { publishManifest, storeFormat, systemDisk } from "../store/index.ts";
import { makeStoreIn } from "./create-store.ts";
import { type ArchiveHeader, type ArchiveManifest, type EntryTarget, unreadable } from "./format.ts";
import type { Staging } from "./generations.ts";
import { readArchive } from "./read.ts";
import { syncBelow, syncsMax } from "./sync-below.ts";
import type { StoreTarget } from "./target.ts";

/**
 * Restores an archive into an empty folder, and its repositories into the folders of the storages. Verifies every file
 * before any of them is in use. On an error, throws `StartError`, and everything is as before.
 */
export function restoreArchive(
  bytes: AsyncIterable<Uint8Array>,
  target: StoreTarget,
  { withRepositories = true }: { readonly withRepositories?: boolean } = {},
): Promise<ArchiveManifest> {
  return makeStoreIn(target, "outpost restore FILE", async (staging) => {
    const files = new StagedFiles(staging);
    try {
      const manifest = await readArchive(bytes, {
        begin: async (header) => refuseUnfit(header, withRepositories ? staging.storages : undefined),
        file: (place, _size, content) =>
          withRepositories || place.kind === "data" ? files.add(place, content) : readOver(content),
      });
      const text = await files.manifestOfStore();
      if (!publishManifest(systemDisk, target.dataFolder, staging.generation, text)) {
        throw unreadable("the manifest of its store is damaged");
      }
      await files.sync();
      return manifest;
    } finally {
      await files.written();
    }
  });
}

async function readOver(content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _piece of content);
}

/** Throws for an archive that this server cannot restore. Without `storages`, the restore leaves out the repositories. */
function refuseUnfit(header: ArchiveHeader, storages: ReadonlyMap<string, string> | undefined): void {
  if (header.store_format !== storeFormat) {
    throw new StartError(
      `the archive holds a store of format ${header.store_format}, this version reads format ${storeFormat}`,
      `outpost version, of another executable: ${header.release} or newer`,
    );
  }
  const unknown = header.storages.filter((name) => storages?.has(name) === false);
  if (unknown.length === 0) return;
  throw new StartError(
    `the archive has repositories of storage ${unknown.join(", ")}, which the settings do not name`,
    `OUTPOST_REPOSITORY_STORAGES=${header.storages.join(",")} outpost restore FILE`,
  );
}

/** The files of a generation that is being made. */
class StagedFiles {
  readonly #staging: Staging;
  readonly #syncs = new Set<Promise<void>>();
  #failure: unknown;

  constructor(staging: Staging) {
    this.#staging = staging;
  }

  async add(place: EntryTarget, content: AsyncIterable<Uint8Array>): Promise<void> {
    const path = `${this.#folderOf(place)}/${place.path}`;
    const isObject = place.kind === "repository" && /\.git\/objects\//.test(place.path);
    const file = await openFresh(path, isObject ? platform.finalFileMode : 0o600);
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

  /** Syncs all files and their names. */
  async sync(): Promise<void> {
    await Promise.all(this.#syncs);
    if (this.#failure !== undefined) throw this.#failure;
    for (const folder of [this.#staging.folder, ...this.#staging.storages.values()]) await syncBelow(folder, "folders");
  }

  /** Returns the store's manifest; an empty text when the archive has none. */
  async manifestOfStore(): Promise<string> {
    await this.written();
    const file = Bun.file(`${this.#staging.folder}/manifest.json`);
    return (await file.exists()) ? await file.text() : "";
  }

  /** Resolves when no write is under way. */
  async written(): Promise<void> {
    await Promise.all(this.#syncs);
  }

  #folderOf(place: EntryTarget): string {
    if (place.kind === "data") return this.#staging.folder;
    const folder = this.#staging.storages.get(place.storage);
    if (folder === undefined) throw unreadable(`its header does not name storage ${place.storage}`);
    return folder;
  }
}

/** Creates a file. Throws when it exists already, or when the archive may not have a file of this name. */
async function openFresh(path: string, mode: number) {
  try {
    return await openNew(path, mode);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST" || code === "ENOTDIR" || code === "EISDIR") throw unreadable(`it has two files ${path}`);
    if (code === "ENAMETOOLONG") throw unreadable("a file name in it is too long");
    throw error;
  }
}

async function openNew(path: string, mode: number) {
  try {
    return await open(path, "wx", mode);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ENOENT") throw error;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return open(path, "wx", mode);
  }
}

/** Makes the empty folders of a repository: archives have none, and git needs them. */
async function makeRepositoryFolders(repository: string): Promise<void> {
  for (const folder of ["objects/info", "objects/pack", "refs/heads", "refs/tags"]) {
    await mkdir(`${repository}/${folder}`, { recursive: true, mode: 0o700 });
  }
}
