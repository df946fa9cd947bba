import { rm } from "node:fs/promises";
import { invalid, unavailable } from "../domain/failure.ts";
import { confirmWork } from "../domain/work-budget.ts";
import { KeyedLock } from "../lib/keyed-lock.ts";
import { type Reader, ReaderQueue } from "../lib/reader-queue.ts";
import { Copier } from "./copying/copier.ts";
import { temporaryOf } from "./copying/copy.ts";
import { type DeletedRefs, RefDeletions } from "./deleted-refs.ts";
import { codeOf, exists, removeDurably } from "./durable.ts";
import { bytesBelow, stagedFolderOf } from "./importing/folders.ts";
import { diskPathOf, type RepositoryPlace, type RepositoryRef } from "./layout.ts";
import { ObjectCache } from "./objects/cache.ts";
import { ObjectReader } from "./objects/objects.ts";
import { type TakeRoom, UnpackedBytes } from "./objects/unpacked-bytes.ts";
import { PauseGate } from "./pause-gate.ts";
import { RefFiles } from "./ref-files.ts";
import { Refs } from "./refs.ts";
import { Repository } from "./repository.ts";
import { type RepositoryNeeds, readerLimits } from "./repository-needs.ts";
import { openStorages, type StorageFolders } from "./storages.ts";
import { Computing } from "./work/computing.ts";
import { PackThreads } from "./work/pool.ts";
import { Transfers } from "./work/transfers.ts";
import { RepositoryWriter } from "./writer.ts";

/** The text of storage-moves 5. */
const readOnlyText = "The repository is temporarily read-only. Please try again later.";

/**
 * The git repositories on the storages of this server (storage-moves 1). The record of a repository has its place:
 * `locate` is called when it is the caller's turn, and may refuse then.
 */
export class Repositories {
  readonly #folders: StorageFolders;
  readonly #locks = new KeyedLock();
  readonly #readers = new ReaderQueue(readerLimits, unavailable);
  #cached = new ObjectCache();
  readonly #refFiles = new RefFiles();
  readonly #unpacked = new UnpackedBytes();
  readonly #needs: RepositoryNeeds;
  readonly #copier: Copier;
  /** Fetches and pushes over git's protocol. */
  readonly transfers: Transfers;
  /** Long questions. Their threads are their own: slow clients that fetch hold up the others. */
  readonly computing: Computing;
  readonly #removals = new PauseGate();
  readonly #refDeletions = new RefDeletions();

  /** Makes folders that are missing. Throws `StartError`. */
  constructor(needs: RepositoryNeeds) {
    this.#needs = needs;
    this.#folders = openStorages(needs.storages, needs.dataFolder, needs.generation);
    this.#copier = new Copier(needs.copyingWorker);
    this.transfers = new Transfers(this, needs.packWorker, needs.packLimits);
    this.computing = new Computing(new PackThreads(needs.packWorker));
  }

  /** Names of the storages, the first one first. */
  get storageNames(): readonly string[] {
    return [...this.#folders.keys()];
  }

  /** The folders of the storages by their names. */
  get storageFolders(): StorageFolders {
    return this.#folders;
  }

  /**
   * Makes deletions, and the steps of moves that remove something, wait until the function that it resolves to is called.
   */
  holdRemovals(): Promise<() => void> {
    return this.#removals.hold();
  }

  /** Branches and tags that are deleted from now on, by the folders of their repositories, until `end` is called. */
  watchDeletedRefs(): { readonly refs: DeletedRefs; end(): void } {
    return this.#refDeletions.watch();
  }

  /** The folder of a repository, which may not exist yet. Throws 503 for a storage that is not configured any more. */
  folderOf(place: RepositoryPlace): string {
    return `${this.storageFolderOf(place)}/${diskPathOf(place)}.git`;
  }

  /** The folder of a storage. Throws 503 for one that is not configured any more. */
  storageFolderOf({ storage }: RepositoryPlace): string {
    const folder = this.#folders.get(storage);
    if (folder === undefined) throw unavailable(new Error(`storage ${storage} is not configured`));
    return folder;
  }

  /** Reads; those of a repository that is moved meanwhile are let finish before its old files go. */
  read<R>(place: RepositoryPlace, work: (repository: Repository) => Promise<R>): Promise<R> {
    return this.#locks.read(keyOf(place), () =>
      this.#unpacked.hold(async (takeRoom) =>
        work(new Repository(this.#objectsOf(place, takeRoom), this.#refsOf(place))),
      ),
    );
  }

  /**
   * Reads as `read`, but in turn: a reader holds what it found until it is done, so few read at once, strangers even fewer.
   * Throws 503 for one that finds no place in the queue or waited too long. Never call it inside the work of another reader,
   * which it could wait for.
   */
  readInTurn<R>(place: RepositoryPlace, reader: Reader, work: (repository: Repository) => Promise<R>): Promise<R> {
    return this.#readers.run(reader, () => this.read(place, work));
  }

  /** Runs work whose reads do not wait for room in memory. The caller sees to it that there is little of it at a time. */
  withoutWaiting<R>(work: () => Promise<R>): Promise<R> {
    return this.#unpacked.withoutWaiting(work);
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
    const refuse = () => this.refuseReadOnly(ref);
    return this.#locks.write(keyOf(ref), refuse, async () => {
      confirmWork();
      const place = locate();
      await this.#keep(place);
      try {
        return await this.#unpacked.hold(async (takeRoom) =>
          work(new RepositoryWriter(this.#objectsOf(place, takeRoom), this.#refsOf(place), this.#refDeletions)),
        );
      } catch (error) {
        if (codeOf(error) === "ENOSPC" || codeOf(error) === "EDQUOT") throw unavailable(error);
        throw error;
      }
    });
  }

  /**
   * Removes files of a repository, by their paths in it, whose objects a newer pack has. Waits for the reads that may have found
   * them before, and as long as removals are held.
   */
  async removeReplaced(ref: RepositoryRef, locate: () => RepositoryPlace, paths: readonly string[]): Promise<void> {
    await this.#locks.readersDone(keyOf(ref));
    await this.write(ref, locate, ({ folder }) =>
      this.#removals.run(async () => {
        for (const path of paths) await rm(`${folder}/${path}`, { force: true });
      }),
    );
  }

  /**
   * Makes a staged bare repository that of `ref`, which must have no branch and no tag yet: verified and durable when `record` is
   * called with it and its bytes. If `record` throws, the repository is empty again. `stage` is a folder in `imports/` of the
   * data folder. Throws 400.
   */
  async adopt<R>(
    ref: RepositoryRef,
    locate: () => RepositoryPlace,
    stage: string,
    record: (repository: Repository, bytes: number) => Promise<R>,
  ): Promise<R> {
    const staged = stagedFolderOf(this.#needs.dataFolder, stage);
    if (!(await exists(staged))) throw invalid("the import is not staged");
    return this.#locks.write(
      keyOf(ref),
      () => this.refuseReadOnly(ref),
      async () => {
        confirmWork();
        const place = locate();
        const folder = this.folderOf(place);
        if ((await this.#refsOf(place).list("refs/")).size > 0) throw invalid("the repository is not empty");
        await this.#keep(place);
        await this.#copier.copy(staged, folder, new AbortController().signal);
        this.#refFiles.forgetAll();
        try {
          return await this.#unpacked.hold(async (takeRoom) =>
            record(new Repository(this.#objectsOf(place, takeRoom), this.#refsOf(place)), await bytesBelow(folder)),
          );
        } catch (error) {
          await this.#removeFolder(folder);
          throw error;
        }
      },
    );
  }

  #objectsOf(place: RepositoryPlace, takeRoom: TakeRoom): ObjectReader {
    return new ObjectReader(this.folderOf(place), this.#cached, takeRoom);
  }

  #refsOf(place: RepositoryPlace): Refs {
    return new Refs(this.folderOf(place), this.#refFiles);
  }

  /** Removes the files of a repository that no record names any more. Bears being done again. */
  remove(place: RepositoryPlace): Promise<void> {
    const welcome = () => undefined;
    return this.#locks.write(keyOf(place), welcome, () => this.#remove(place));
  }

  /** Puts all repositories back to their states at a checkpoint. Nothing may use them meanwhile. */
  async restore(checkpointId: number): Promise<void> {
    await this.#needs.history?.restore(this.#folders, checkpointId);
    this.#cached = new ObjectCache();
    this.#refFiles.forgetAll();
  }

  /** Forgets the states of checkpoints that are not among these. Nothing may change repositories meanwhile. */
  async dropOtherCheckpoints(checkpointIds: readonly number[]): Promise<void> {
    await this.#needs.history?.dropOthers(this.#folders, checkpointIds);
  }

  async #remove(place: RepositoryPlace): Promise<void> {
    await this.#keep(place);
    await this.#removals.run(() => this.#removeFolder(this.folderOf(place)));
  }

  async #keep(place: RepositoryPlace): Promise<void> {
    const folder = this.#folders.get(place.storage);
    if (folder !== undefined) await this.#needs.history?.keep(folder, `${diskPathOf(place)}.git`);
  }

  /** Whether the repository is being moved. */
  isReadOnly(ref: RepositoryRef): boolean {
    return this.#needs.isReadOnly(ref);
  }

  /** Throws the 400 of storage-moves 5 while a repository is moved. */
  refuseReadOnly(ref: RepositoryRef): void {
    if (this.isReadOnly(ref)) throw invalid(readOnlyText);
  }

  /**
   * Copies a read-only repository to another storage, once its current writers are done: verified and durable when this
   * resolves. It replaces anything at the destination. A repository without files yet leaves none there, unless
   * `isFilled` says that it must have some. On an error the source is unchanged.
   */
  async copy(place: RepositoryPlace, storage: string, isFilled: boolean, signal: AbortSignal): Promise<void> {
    await this.#locks.writersDone(keyOf(place));
    for (const name of [place.storage, storage]) {
      const folder = this.#folders.get(name);
      if (folder === undefined) throw new Error(`storage ${name} is not configured`);
      // A new folder would put repositories on another disk, below a mount point whose disk is missing.
      if (!(await exists(folder))) throw new Error(`the folder of storage ${name} is gone`);
    }
    const source = this.folderOf(place);
    const hasFiles = await exists(source);
    // The files at the destination may be the only ones: they stay.
    if (isFilled && !hasFiles) throw new Error("the repository has no files");
    const copied = { ...place, storage };
    await this.#keep(copied);
    try {
      // Deletes the rest of an earlier move at the destination.
      await this.#removals.free();
      if (hasFiles) await this.#copier.copy(source, this.folderOf(copied), signal);
      else await this.dropCopy(copied);
      this.#refFiles.forgetAll();
    } catch (error) {
      // After a stop the next attempt removes what is there.
      if (!signal.aborted) await this.dropCopy(copied);
      throw error;
    }
  }

  /** Removes what a copy that was given up left at its destination. */
  async dropCopy(place: RepositoryPlace): Promise<void> {
    if (!this.#folders.has(place.storage)) return;
    const folder = this.folderOf(place);
    await this.#keep(place);
    await this.#removals.run(async () => {
      await rm(temporaryOf(folder), { recursive: true, force: true });
      await this.#removeFolder(folder);
    });
  }

  async #removeFolder(folder: string): Promise<void> {
    await removeDurably(folder);
    this.#refFiles.forgetAll();
  }

  /** Removes the files of a repository at its former place, once no read of them is left. */
  async removeOld(place: RepositoryPlace): Promise<void> {
    await this.#locks.readersDone(keyOf(place));
    await this.#remove(place);
  }
}

function keyOf({ kind, id }: RepositoryRef): string {
  return `${kind} ${id}`;
}
