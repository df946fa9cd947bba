import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { unavailable } from "../domain/failure.ts";
import type { RepositoryStorage } from "../domain/repository-storage.ts";
import { codeOf, syncFolder } from "./durable.ts";
import { diskPathOf, type RepositoryPlace, type RepositoryRef } from "./layout.ts";
import { KeptObjects, ObjectReader } from "./objects.ts";
import { Repository } from "./repository.ts";
import { openStorages, type StorageFolders } from "./storages.ts";
import { type ReadOnlyTime, Turns } from "./turns.ts";
import { RepositoryWriter } from "./writer.ts";

/**
 * The git repositories on the storages of this server (storage-moves 1). Where each of them is, its record says: `locate`
 * is asked when it is the caller's turn, and may refuse then.
 */
export class Repositories {
  readonly #folders: StorageFolders;
  readonly #turns = new Turns();
  readonly #kept = new KeptObjects();

  /** Makes folders that are missing. Throws `StartError`. */
  constructor(storages: readonly RepositoryStorage[], dataFolder: string) {
    this.#folders = openStorages(storages, dataFolder);
  }

  /** Names of the storages, the first one first. */
  get storageNames(): readonly string[] {
    return [...this.#folders.keys()];
  }

  /** Where a repository lies or would lie. Throws 503 for a storage that is not configured any more. */
  folderOf(place: RepositoryPlace): string {
    const folder = this.#folders.get(place.storage);
    if (folder === undefined) throw unavailable(new Error(`storage ${place.storage} is not configured`));
    return `${folder}/${diskPathOf(place)}.git`;
  }

  /** Reads; those of a repository that is moved meanwhile are let finish before its old files go. */
  read<R>(place: RepositoryPlace, work: (repository: Repository) => Promise<R>): Promise<R> {
    return this.#turns.read(keyOf(place), async () =>
      work(new Repository(new ObjectReader(this.folderOf(place), this.#kept))),
    );
  }

  /**
   * The one way to change a repository: after all changes that came before, and never while it is read-only, when it is
   * refused with the 400 of storage-moves 5. A full disk is 503, as everywhere.
   */
  write<R>(
    ref: RepositoryRef,
    locate: () => RepositoryPlace,
    work: (repository: RepositoryWriter) => Promise<R>,
  ): Promise<R> {
    return this.#turns.write(keyOf(ref), async () => {
      const objects = new ObjectReader(this.folderOf(locate()), this.#kept);
      try {
        return await work(new RepositoryWriter(objects));
      } catch (error) {
        if (codeOf(error) === "ENOSPC" || codeOf(error) === "EDQUOT") throw unavailable(error);
        throw error;
      }
    });
  }

  /** Removes the files of a repository that no record names any more. Bears being done again. */
  remove(place: RepositoryPlace): Promise<void> {
    return this.#turns.write(keyOf(place), async () => {
      const folder = this.folderOf(place);
      const removed = `${folder}.removed`;
      await rm(removed, { recursive: true, force: true });
      try {
        await rename(folder, removed);
      } catch (error) {
        if (codeOf(error) === "ENOENT") return;
        throw error;
      }
      await syncFolder(dirname(folder));
      await rm(removed, { recursive: true, force: true });
    });
  }

  /** From now on writes are refused; undefined when it is read-only already. */
  makeReadOnly(ref: RepositoryRef): ReadOnlyTime | undefined {
    return this.#turns.makeReadOnly(keyOf(ref));
  }

  isReadOnly(ref: RepositoryRef): boolean {
    return this.#turns.isReadOnly(keyOf(ref));
  }
}

function keyOf({ kind, id }: RepositoryRef): string {
  return `${kind} ${id}`;
}
