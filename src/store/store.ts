import { unavailable } from "../domain/failure.ts";
import type { Page } from "../domain/page.ts";
import { confirmWork, noteWritten, spend } from "../domain/work-budget.ts";
import type { Blobs } from "./blobs.ts";
import {
  type CollectionDeclaration,
  type Documents,
  type IndexDeclarations,
  MemoryCollection,
  type Watcher,
} from "./collection.ts";
import { DeferredWrites } from "./deferred-writes.ts";
import type { StoredDocument } from "./indexes/index.ts";
import type { TransactionLog } from "./journal/journal.ts";
import type { Change } from "./journal/journal-line.ts";
import { ReadTracker } from "./journal/read-tracker.ts";
import { findWriteRefusal, type WriteRefusal } from "./journal/write-refusal.ts";
import type { LogDeclaration } from "./logs/declaration.ts";
import type { LogCollection, LogDocuments } from "./logs/log-collection.ts";
import { keepLogWatermark, logWatermarks } from "./logs/log-watermarks.ts";
import { BackgroundWork } from "./maintenance/background.ts";
import { History } from "./maintenance/history.ts";
import { Snapshots, type StoreSnapshot } from "./maintenance/snapshot.ts";
import { type StoreStatistics, statisticsOf } from "./maintenance/statistics.ts";
import type { StoreOptions } from "./opening/options.ts";
import { openParts, type StoreParts } from "./opening/parts.ts";
import type { Condition } from "./query/condition.ts";
import type { IdSet } from "./query/id-set.ts";
import { type Query, queryCount, queryIds, queryPage } from "./query/query.ts";
import type { PartCount } from "./query/set-algebra.ts";
import { sequences } from "./sequences.ts";
import type { StoredCollection } from "./stored-collection.ts";
import { OpenTransaction, type Transaction } from "./transaction.ts";

/** The number of changed bytes that take as long as one step: they are checked, copied and mostly indexed. */
const journalBytesPerStep = 4;
/** The memory of a document besides its JSON: objects and indexes. */
const documentBytes = 512;
/** The longest time that a clean stop writes segments. The journal holds the rest. */
const closeBudgetMs = 2_000;

/**
 * All documents, in memory and on disk. A change is durable once `settled` resolves. No answer may show the change before.
 */
export class Store {
  /** Bytes and long texts, by their hash. */
  readonly blobs: Blobs;
  readonly #collections: ReadonlyMap<string, StoredCollection>;
  readonly #journal: TransactionLog;
  readonly #lazyChanges: DeferredWrites;
  readonly #parts: StoreParts;
  readonly #snapshots: Snapshots;
  /** Named earlier states, to which the store can be restored. */
  readonly history: History;
  readonly background: BackgroundWork;
  #transaction: OpenTransaction | undefined;
  readonly #readTracker = new ReadTracker();
  #isClosing = false;

  private constructor(collections: ReadonlyMap<string, StoredCollection>, parts: StoreParts) {
    this.#collections = collections;
    this.#journal = parts.journal;
    this.blobs = parts.blobs;
    this.#parts = parts;
    this.#snapshots = new Snapshots(parts);
    this.history = new History({ collections, ...parts, transact: (change) => this.#transact(change) });
    this.background = new BackgroundWork(collections, parts);
    this.#lazyChanges = new DeferredWrites((changes) => this.#append(changes));
  }

  /**
   * Locks the folder, loads the segments, replays the journal and builds the unique indexes. Makes a new store if there is
   * none. Throws `StartError` when the folder is locked, damaged, of another format or not writable.
   */
  static async open(options: StoreOptions): Promise<Store> {
    const { collections, parts } = await openParts(options);
    return new Store(collections, parts);
  }

  /** The manifest of the store. */
  get manifest(): StoreParts["manifest"] {
    return this.#parts.manifest;
  }

  /** Returns the read access to a collection. */
  of<T extends StoredDocument, D extends IndexDeclarations<T>>(declared: CollectionDeclaration<T, D>): Documents<T, D> {
    return this.#hot(declared.name) as unknown as Documents<T, D>;
  }

  /**
   * Calls `watcher` with every change of a collection from now on, inside the transaction and after the indexes. A rollback
   * calls it with swapped arguments. Deferred changes count too.
   */
  watch<T extends StoredDocument, D extends IndexDeclarations<T>>(
    declared: CollectionDeclaration<T, D>,
    watcher: Watcher<T>,
  ): void {
    const watched = this.#hot(declared.name) as unknown as MemoryCollection<T>;
    this.#readTracker.watch(declared.name, watched.changedAt);
    watched.watch(watcher);
  }

  /** Returns the read access to a log. */
  logOf<T extends StoredDocument>(declared: LogDeclaration<T>): LogDocuments<T> {
    return this.#find(declared.name) as unknown as LogCollection<T>;
  }

  /** Returns one page of a collection (see `Query`). */
  page<T extends StoredDocument, D extends IndexDeclarations<T>>(
    declared: CollectionDeclaration<T, D>,
    query: Query<T, D>,
  ): Page<T> {
    return queryPage(this.#hot(declared.name) as unknown as MemoryCollection<T>, query);
  }

  /** Returns the ids of the documents that match the conditions, unordered. Valid until the next change. */
  ids<T extends StoredDocument, D extends IndexDeclarations<T>>(
    declared: CollectionDeclaration<T, D>,
    where: readonly Condition<D>[],
  ): IdSet {
    return queryIds(this.#hot(declared.name) as unknown as MemoryCollection<T>, where);
  }

  /** Counts the documents of a collection that match the conditions, exactly. */
  count<T extends StoredDocument, D extends IndexDeclarations<T>>(
    declared: CollectionDeclaration<T, D>,
    where: readonly Condition<D>[],
  ): number {
    return queryCount(this.#hot(declared.name) as unknown as MemoryCollection<T>, where).all;
  }

  /** Counts as `count` does, and also those that match `part`, in one evaluation. `part` may not search texts. */
  countWithPart<T extends StoredDocument, D extends IndexDeclarations<T>>(
    declared: CollectionDeclaration<T, D>,
    where: readonly Condition<D>[],
    part: Condition<D>,
  ): PartCount {
    return queryCount(this.#hot(declared.name) as unknown as MemoryCollection<T>, where, part);
  }

  /**
   * Runs a synchronous change of any number of collections, all or nothing. Passes on an error of the change. Throws
   * `Failure` 503 when there is no space, and 401 or 403 when the caller lost the right while the request waited.
   */
  transact<R>(change: (transaction: Transaction) => R): R {
    confirmWork();
    return this.#transact(this.history.noting(change));
  }

  #transact<R>(change: (transaction: OpenTransaction) => R): R {
    if (this.#transaction !== undefined) throw new Error("a transaction is already running");
    // An aborted request may come here after the journal is closed.
    if (this.#isClosing) throw unavailable();
    const transaction = new OpenTransaction((name) => this.#find(name), this.of(sequences));
    this.#transaction = transaction;
    try {
      const result = change(transaction);
      const changes = transaction.changes();
      if (changes.length > 0) {
        const sequence = this.#append(changes);
        transaction.markDirty(sequence);
        this.#readTracker.change(changes, sequence);
      }
      return result;
    } catch (error) {
      transaction.rollBack();
      throw error;
    } finally {
      this.#transaction = undefined;
    }
  }

  /**
   * Replaces a document with a deferred write: visible at once, journalled within two seconds, lost if the process dies
   * before. For changes that every read makes, such as `last_used_at`.
   */
  touch<T extends StoredDocument, D extends IndexDeclarations<T>>(of: CollectionDeclaration<T, D>, document: T): void {
    if (this.#isClosing) return;
    const collection = this.#find(of.name);
    if (collection.get(document.id) === undefined) throw new Error(`${of.name}: no ${document.id}`);
    // The first change after a checkpoint stores the document's earlier state, so it cannot be deferred.
    if (this.history.isNoted(of.name, document.id)) this.#lazyChanges.replace(collection, document);
    else if (this.#transaction === undefined) this.#transact(this.history.noting((tx) => tx.update(of, document)));
    else this.#transaction.update(of, document);
  }

  /** Rises with every change, deferred ones included. Data that was read at one version stays valid until the next. */
  get version(): number {
    return this.#journal.lastSequence + this.#lazyChanges.count;
  }

  /**
   * Drops all entries of a log below this id for ever, in its own transaction. Reads no longer see them. The background work
   * frees their memory and disk space in slices.
   */
  dropBelow<T extends StoredDocument>(from: LogDeclaration<T>, id: number): void {
    const log = this.#find(from.name) as unknown as LogCollection<T>;
    if (id <= log.droppedBelow || this.history.removeBelow(log, id)) return;
    this.transact((tx) => keepLogWatermark(tx, this.of(logWatermarks), log.name, id));
    log.dropBelow(id);
    log.changedAt = this.#journal.lastSequence;
    this.background.removeDropped(log as unknown as LogCollection<never>);
  }

  /** Resolves when everything in memory is on disk; undefined when it is already. */
  settled(): Promise<void> | undefined {
    return this.#journal.settled();
  }

  /** Starts to track what is read, for `readSettled`. */
  beginRead(): void {
    this.#readTracker.begin();
  }

  /**
   * Does what `settled` does, for what was read and changed since `beginRead`: a read need not wait for changes that it
   * cannot have seen. The code since `beginRead` must have been synchronous.
   */
  readSettled(): Promise<void> | undefined {
    return this.#readTracker.hasSeenAfter(this.#journal.durableSequence) ? this.#journal.settled() : undefined;
  }

  /** Returns why no change can be made durable now, such as a full disk; undefined when one can. */
  writeRefusal(): WriteRefusal | undefined {
    return this.#isClosing ? "stopping" : findWriteRefusal((bytes) => this.#journal.reserve(bytes));
  }

  /** Returns the state of the store, for metrics. */
  statistics(): StoreStatistics {
    return statisticsOf(this.#collections.values(), this.#parts);
  }

  /** True when the text indexes are complete. Until then, searches read every document of their scope. */
  get isSearchReady(): boolean {
    return this.background.isIndexed;
  }

  /** Completes the indexes, removes dropped entries and sweeps blobs, in slices. Start it once the server listens. */
  startBackgroundWork(delayMs = 0): void {
    this.background.start(delayMs);
  }

  /** Resolves when the text indexes are complete and no dropped entries are left. */
  backgroundWorkDone(): Promise<void> {
    return this.background.done();
  }

  /** Writes every changed segment now, for at most `budgetMs`. */
  async checkpoint(budgetMs?: number): Promise<void> {
    await this.#parts.checkpointer.writeAll(budgetMs);
  }

  /** Returns a snapshot of the moment when it calls `atPosition`. The caller must release it. */
  snapshot(atPosition: () => void = () => undefined): Promise<StoreSnapshot> {
    if (this.#isClosing) throw unavailable();
    return this.#snapshots.take(atPosition);
  }

  /** Ends all changes. When it resolves, everything is on disk and the folder is unlocked. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#snapshots.close();
    await this.background.stop();
    await this.#parts.checkpointer.stop();
    this.#lazyChanges.close();
    await this.settled();
    try {
      await this.#parts.checkpointer.writeAll(closeBudgetMs);
    } catch (error) {
      // The disk may be full. The journal holds everything, and the next start writes it.
      this.#parts.log.warn({ error: String(error) }, "some segments could not be written");
    } finally {
      await this.#journal.close();
      this.#parts.lock.release();
    }
  }

  #append(changes: readonly Change[]): number {
    const json = JSON.stringify(changes);
    const bytes = Buffer.byteLength(json);
    spend(bytes / journalBytesPerStep);
    this.#parts.requireMemory(bytes);
    noteWritten(bytes, changes.length * documentBytes);
    this.#journal.reserve(bytes);
    return this.#journal.append(json, bytes);
  }

  #hot(name: string): MemoryCollection {
    const found = this.#find(name);
    if (!(found instanceof MemoryCollection)) throw new Error(`${name} is a log`);
    return found;
  }

  #find(name: string): StoredCollection {
    const found = this.#collections.get(name);
    if (found === undefined) throw new Error(`the store has no collection ${name}`);
    this.#readTracker.see(found.changedAt);
    return found;
  }
}
