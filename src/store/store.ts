import type { Clock } from "../domain/clock.ts";
import { toDateTime } from "../domain/datetime.ts";
import { Failure } from "../domain/failure.ts";
import type { Log } from "../domain/log.ts";
import type { Page } from "../domain/page.ts";
import type { Randomness } from "../domain/randomness.ts";
import { StartError } from "../domain/start-error.ts";
import { Checkpointer } from "./checkpointer.ts";
import {
  type AnyCollectionDeclaration,
  type CollectionDeclaration,
  type Documents,
  HotCollection,
  type IndexDeclarations,
} from "./collection.ts";
import { damaged } from "./damage.ts";
import { type Disk, systemDisk } from "./disk.ts";
import type { StoredDocument } from "./indexes/index.ts";
import { Journal } from "./journal.ts";
import type { TransactionLine } from "./journal-line.ts";
import { journalFileNames, readJournal } from "./journal-reader.ts";
import { type FolderLock, lockFolder } from "./lock.ts";
import { readManifest, storeFormat, writeManifest } from "./manifest.ts";
import { type Query, queryPage } from "./query.ts";
import { sequences } from "./sequences.ts";
import { OpenTransaction, type Transaction } from "./transaction.ts";

export interface StoreOptions {
  readonly folder: string;
  /** Every collection of the house; the order does not matter. */
  readonly collections: readonly AnyCollectionDeclaration[];
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly disk?: Disk;
  /** The kernel's lock; tests that stand in for the disk leave it out. */
  readonly lock?: (folder: string) => FolderLock;
  readonly journalFileBytes?: number;
  /** The disk broke under a write that was already visible: the process must end without answering anybody. */
  readonly onBroken: (error: unknown) => void;
}

const journalFileBytes = 8 << 20;

/**
 * All documents, in memory and on disk (design 3). A change is durable once `settled` says so; nobody may be told
 * of it, or of what a read has seen of it, before.
 */
export class Store {
  readonly #collections: ReadonlyMap<string, HotCollection>;
  readonly #journal: Journal;
  readonly #checkpointer: Checkpointer;
  readonly #lock: FolderLock;
  #isInTransaction = false;

  private constructor(
    collections: ReadonlyMap<string, HotCollection>,
    journal: Journal,
    checkpointer: Checkpointer,
    lock: FolderLock,
  ) {
    this.#collections = collections;
    this.#journal = journal;
    this.#checkpointer = checkpointer;
    this.#lock = lock;
  }

  /**
   * Locks the folder, loads the segments, replays the journal over them, builds the indexes. Makes a new store where
   * there is none. Throws a `StartError` when the folder is locked, damaged, of a newer format or not writable.
   */
  static async open(options: StoreOptions): Promise<Store> {
    const disk = options.disk ?? systemDisk;
    const { folder } = options;
    const lock = prepareFolder(disk, folder, options.lock ?? lockFolder);
    try {
      const manifest = readManifest(disk, folder) ?? createManifest(disk, options);
      const journalFolder = `${folder}/journal`;
      if (!disk.exists(journalFolder)) disk.makeFolder(journalFolder);
      let journal: Journal | undefined;
      const writer = {
        disk,
        lastSequence: () => journal?.lastSequence ?? 0,
        settled: () => journal?.settled(),
      };
      const collections = new Map<string, HotCollection>();
      for (const declared of [sequences, ...options.collections] as unknown as CollectionDeclaration<
        StoredDocument,
        IndexDeclarations<StoredDocument>
      >[]) {
        collections.set(declared.name, new HotCollection(declared, `${folder}/documents`, writer));
      }
      for (const collection of collections.values()) await collection.load();
      const recovered = readJournal(disk, journalFolder, manifest.store, (line) => replay(collections, line));
      refuseSegmentsAhead(collections, recovered.lastSequence);
      for (const collection of collections.values()) collection.buildIndexes();
      journal = Journal.open(
        {
          disk,
          folder: journalFolder,
          store: manifest.store,
          fileBytes: options.journalFileBytes ?? journalFileBytes,
          onBroken: options.onBroken,
        },
        recovered,
      );
      const torn = recovered.files.find((file) => file.tornBytes > 0);
      if (torn !== undefined) {
        options.log.warn(
          { file: torn.name, offset: torn.end, bytes: torn.tornBytes },
          "cut off an unfinished line that nobody was told about",
        );
      }
      const checkpointer = new Checkpointer(() => collections.values(), journal, options.log);
      checkpointer.start();
      return new Store(collections, journal, checkpointer, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** The documents of a collection, to read. */
  of<T extends StoredDocument, D extends IndexDeclarations<T>>(declared: CollectionDeclaration<T, D>): Documents<T, D> {
    return this.#find(declared as unknown as AnyCollectionDeclaration) as unknown as Documents<T, D>;
  }

  /** One page of a collection (see `Query`). */
  page<T extends StoredDocument, D extends IndexDeclarations<T>>(
    declared: CollectionDeclaration<T, D>,
    query: Query<T, D>,
  ): Page<T> {
    return queryPage(this.#find(declared as unknown as AnyCollectionDeclaration) as unknown as HotCollection<T>, query);
  }

  /**
   * Runs a change: synchronous, over any number of collections, all or nothing. What it throws is passed on with
   * nothing changed; `Failure` 503 when there is no space to make it durable.
   */
  transact<R>(change: (transaction: Transaction) => R): R {
    if (this.#isInTransaction) throw new Error("a transaction runs already");
    const transaction = new OpenTransaction((declared) => this.#find(declared));
    this.#isInTransaction = true;
    try {
      const result = change(transaction);
      const changes = transaction.changes();
      if (changes.length === 0) return result;
      const json = JSON.stringify(changes);
      const bytes = Buffer.byteLength(json);
      this.#journal.reserve(bytes);
      transaction.markDirty(this.#journal.append(json, bytes));
      return result;
    } catch (error) {
      transaction.rollBack();
      throw error;
    } finally {
      this.#isInTransaction = false;
    }
  }

  /** Resolves when everything that memory shows now is on disk; undefined when it is already. */
  settled(): Promise<void> | undefined {
    return this.#journal.settled();
  }

  /** Whether a change could be made durable now: false while the disk is full. */
  isWritable(): boolean {
    try {
      this.#journal.reserve(ordinaryTransactionBytes);
      return true;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  }

  /** Writes every changed segment back now, within a budget of time. */
  async checkpoint(budgetMs?: number): Promise<void> {
    await this.#checkpointer.writeAll(budgetMs);
  }

  /** Nothing may be changed any more. Everything is on disk and the folder is free when it resolves. */
  async close(): Promise<void> {
    await this.#checkpointer.stop();
    await this.settled();
    await this.#checkpointer.writeAll(closeBudgetMs);
    await this.#journal.close();
    this.#lock.release();
  }

  #find(declared: AnyCollectionDeclaration): HotCollection {
    const found = this.#collections.get(declared.name);
    if (found === undefined) throw new Error(`no collection ${declared.name} was handed to the store`);
    return found;
  }
}

/** More than nearly every transaction needs. */
const ordinaryTransactionBytes = 16 << 10;

/** A clean stop writes segments back for at most this long; the journal holds the rest. */
const closeBudgetMs = 2_000;

function prepareFolder(disk: Disk, folder: string, lock: (folder: string) => FolderLock): FolderLock {
  try {
    disk.makeFolder(folder);
    return lock(folder);
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `data folder ${folder} cannot be used: ${reason}`,
      "give a folder that this user may write: outpost serve --data DIR",
      {
        cause: error,
      },
    );
  }
}

function createManifest(disk: Disk, { folder, randomness, clock }: StoreOptions) {
  const leftover = journalFileNames(disk, `${folder}/journal`)[0];
  if (leftover !== undefined) {
    throw damaged(`${folder}/manifest.json`, undefined, `it is missing, but journal/${leftover} is there`);
  }
  const manifest = { format: storeFormat, store: randomness.uuid(), created_at: toDateTime(clock.now()) };
  writeManifest(disk, folder, manifest);
  return manifest;
}

function replay(collections: ReadonlyMap<string, HotCollection>, line: TransactionLine): void {
  for (const [name, id, document] of line.o) {
    const collection = collections.get(name);
    if (collection === undefined) throw damaged(`transaction ${line.t}`, undefined, `unknown collection ${name}`);
    if (collection.savedSequenceOf(id) >= line.t) continue;
    collection.putUnindexed(id, document === null ? undefined : (document as StoredDocument));
    collection.markDirty(id, line.t);
  }
}

/** Segments are renamed only once the journal holds what they hold: one that is ahead shows that the journal lost its end. */
function refuseSegmentsAhead(collections: ReadonlyMap<string, HotCollection>, lastSequence: number): void {
  for (const collection of collections.values()) {
    for (const segment of collection.segments()) {
      if (segment.savedSequence <= lastSequence) continue;
      throw damaged(
        `${collection.folder}/${segment.number}`,
        undefined,
        `it holds transaction ${segment.savedSequence}, the journal ends with ${lastSequence}`,
      );
    }
  }
}
