import { withoutBudget } from "../../domain/work-budget.ts";
import { type DateTime, toDateTime } from "../../lib/datetime.ts";
import { type Documents, type IndexDeclarations, MemoryCollection } from "../collection.ts";
import type { StoredDocument } from "../indexes/index.ts";
import type { TransactionLog } from "../journal/journal.ts";
import type { Manifest } from "../opening/manifest.ts";
import { DocumentSet } from "../records/document-set.ts";
import type { StoredCollection } from "../stored-collection.ts";
import type { OpenTransaction } from "../transaction.ts";
import { type Checkpoint, type CheckpointChange, checkpointChanges, checkpoints } from "./checkpoint-records.ts";

/** The operations of the store that the history needs. */
interface HistoryStore {
  readonly manifest: Pick<Manifest, "sandbox">;
  readonly journal: Pick<TransactionLog, "lastSequence">;
  readonly collections: ReadonlyMap<string, StoredCollection>;
  /** Runs a change that the history does not record. */
  transact<R>(change: (tx: OpenTransaction) => R): R;
}

/** A collection of the history. */
type Kept<T extends StoredDocument, D extends IndexDeclarations<T>> = Documents<T, D> &
  Pick<MemoryCollection<T>, "watch" | typeof Symbol.iterator>;

const ownCollections: ReadonlySet<string> = new Set([checkpoints.name, checkpointChanges.name]);

/**
 * The checkpoints of a store. The first change of a document after a checkpoint stores its earlier state in the same
 * transaction. So a restore costs as much as the changes since, and is as durable as a transaction.
 */
export class History {
  readonly #store: HistoryStore;
  readonly #checkpoints: Kept<Checkpoint, typeof checkpoints.indexes>;
  readonly #changes: Kept<CheckpointChange, typeof checkpointChanges.indexes>;
  /** The documents whose earlier state is stored, by the id of the checkpoint. */
  readonly #kept = new Map<number, DocumentSet>();
  #lastId = 0;

  constructor(store: HistoryStore) {
    this.#store = store;
    this.#checkpoints = store.collections.get(checkpoints.name) as unknown as Kept<
      Checkpoint,
      typeof checkpoints.indexes
    >;
    this.#changes = store.collections.get(checkpointChanges.name) as unknown as Kept<
      CheckpointChange,
      typeof checkpointChanges.indexes
    >;
    for (const change of this.#changes) {
      this.#lastId = Math.max(this.#lastId, change.id);
      this.#noteKept(undefined, change);
    }
    this.#changes.watch((before, after) => this.#noteKept(before, after));
  }

  /** True when there is a checkpoint. */
  get isKept(): boolean {
    return this.#checkpoints.size > 0;
  }

  /** Returns the checkpoints, oldest first. */
  list(): Checkpoint[] {
    return [...this.#checkpoints].sort((one, other) => one.id - other.id);
  }

  find(name: string): Checkpoint | undefined {
    const id = this.#checkpoints.by.name.find(name);
    return id === undefined ? undefined : this.#checkpoints.get(id);
  }

  /** Makes a checkpoint of the current state. Replaces an older one of the name. */
  create(name: string, now: number, randomState: number | null = null): Checkpoint {
    const position = this.#store.journal.lastSequence;
    return this.#transact((tx) => {
      // Computed before the older one is removed: data outside of the store under its id must not become that of the new
      // one.
      const id = (this.list().at(-1)?.id ?? 0) + 1;
      const existing = this.find(name);
      if (existing !== undefined) this.#remove(tx, existing);
      const created: DateTime = toDateTime(now);
      return tx.insert(checkpoints, {
        id,
        name,
        position,
        created_at: created,
        documents: this.#countDocuments(),
        random_state: randomState,
        is_restoring: false,
      });
    });
  }

  /** Removes an existing checkpoint. The others stay unchanged. */
  remove(name: string): void {
    this.#transact((tx) => this.#remove(tx, this.#get(name)));
  }

  /**
   * Restores every document to its state at a checkpoint, in one transaction, and removes later checkpoints. The checkpoint
   * is marked as being restored until `endRestore`.
   */
  restore(name: string): void {
    this.#transact((tx) => {
      const target = this.#get(name);
      const later = this.list().filter(({ id }) => id > target.id);
      const changes = [target, ...later].flatMap((checkpoint) => this.#changesSince(checkpoint));
      this.#putBack(tx, changes);
      for (const { id } of changes.reverse()) tx.remove(checkpointChanges, id);
      for (const { id } of later) this.#forget(tx, id);
      tx.update(checkpoints, { ...target, is_restoring: true });
    });
  }

  /** Ends a restore, once data outside of the store is restored too. */
  endRestore(name: string): void {
    this.#transact((tx) => tx.update(checkpoints, { ...this.#get(name), is_restoring: false }));
  }

  /** Wraps the change of a transaction, so that it stores the states that it replaces. */
  noting<R>(change: (tx: OpenTransaction) => R): (tx: OpenTransaction) => R {
    const latest = this.#latest();
    if (latest === undefined) return change;
    return (tx) => {
      const result = change(tx);
      withoutBudget(() => {
        for (const { collection, id, before } of tx.firstStates()) this.#keep(tx, latest, collection, id, before);
      });
      return result;
    };
  }

  /** True when a change of the document need not be recorded: there is no checkpoint, or the latest one has its state. */
  isNoted(collection: string, id: number): boolean {
    const latest = this.#latest();
    return latest === undefined || this.#isKept(latest.id, collection, id);
  }

  /**
   * Removes a sandbox's log entries below an id one by one, so that a restore can bring them back. Returns false outside of
   * a sandbox.
   */
  removeBelow<T extends StoredDocument>(log: Iterable<T> & { readonly name: string }, id: number): boolean {
    if (!this.#store.manifest.sandbox) return false;
    const remove = (tx: OpenTransaction) => {
      for (const entry of [...log]) if (entry.id < id) tx.put(log.name, entry.id, undefined);
    };
    this.#transact(this.noting(remove));
    return true;
  }

  /** Runs without the work budget of a request, since a reset may undo any amount of work. */
  #transact<R>(change: (tx: OpenTransaction) => R): R {
    return withoutBudget(() => this.#store.transact(change));
  }

  #latest(): Checkpoint | undefined {
    return this.isKept ? this.list().at(-1) : undefined;
  }

  #keep(
    tx: OpenTransaction,
    { id: checkpointId }: Checkpoint,
    collection: StoredCollection,
    id: number,
    before: StoredDocument | undefined,
  ): void {
    if (ownCollections.has(collection.name) || this.#isKept(checkpointId, collection.name, id)) return;
    this.#lastId += 1;
    tx.insert(checkpointChanges, {
      id: this.#lastId,
      checkpoint_id: checkpointId,
      collection: collection.name,
      document_id: id,
      before: before ?? null,
      blobs: blobsOf(collection, before),
    });
  }

  #isKept(checkpointId: number, collection: string, id: number): boolean {
    return this.#kept.get(checkpointId)?.has(collection, id) ?? false;
  }

  #noteKept(before: CheckpointChange | undefined, after: CheckpointChange | undefined): void {
    if (before !== undefined) this.#kept.get(before.checkpoint_id)?.delete(before.collection, before.document_id);
    if (after === undefined) return;
    const kept = this.#kept.get(after.checkpoint_id) ?? new DocumentSet();
    kept.add(after.collection, after.document_id);
    this.#kept.set(after.checkpoint_id, kept);
  }

  /**
   * First removes the documents that were created since, then restores the others. Documents whose unique key is still taken
   * by another are all removed before they are restored.
   */
  #putBack(tx: OpenTransaction, changes: readonly CheckpointChange[]): void {
    const seen = new DocumentSet();
    const oldest = changes.filter(({ collection, document_id }) => seen.add(collection, document_id));
    // The latest first: an ordered index removes its end fastest.
    const states = oldest.reverse();
    for (const { collection, document_id, before } of states) {
      if (before === null) tx.put(collection, document_id, undefined);
    }
    const blocked = states.filter((change) => change.before !== null && !isPutBack(tx, change));
    for (const { collection, document_id } of blocked) tx.put(collection, document_id, undefined);
    for (const { collection, document_id, before } of blocked) {
      tx.put(collection, document_id, before as StoredDocument);
    }
  }

  /** Removes a checkpoint. Its stored states go to the checkpoint before it, unless that has an older one. */
  #remove(tx: OpenTransaction, { id }: Checkpoint): void {
    const previous = this.list().findLast((each) => each.id < id);
    for (const change of this.#changesSince({ id })) {
      const { collection, document_id } = change;
      if (previous === undefined || this.#isKept(previous.id, collection, document_id)) {
        tx.remove(checkpointChanges, change.id);
      } else tx.update(checkpointChanges, { ...change, checkpoint_id: previous.id });
    }
    this.#forget(tx, id);
  }

  /** Forgets the changes of a checkpoint. A failed transaction restores them. */
  #forget(tx: OpenTransaction, id: number): void {
    tx.remove(checkpoints, id);
    this.#kept.delete(id);
  }

  #changesSince({ id }: Pick<Checkpoint, "id">): CheckpointChange[] {
    const changes = this.#changes;
    return [...changes.by.checkpoint_id.find(id)].map((changeId) => changes.get(changeId) as CheckpointChange);
  }

  #get(name: string): Checkpoint {
    const found = this.find(name);
    if (found === undefined) throw new Error(`no checkpoint ${name}`);
    return found;
  }

  #countDocuments(): number {
    let count = 0;
    for (const { name, size } of this.#store.collections.values()) if (!ownCollections.has(name)) count += size;
    return count;
  }
}

/** Restores one document. Returns false, with nothing changed, when another document still has its unique key. */
function isPutBack(tx: OpenTransaction, { collection, document_id, before }: CheckpointChange): boolean {
  try {
    tx.put(collection, document_id, before as StoredDocument);
    return true;
  } catch {
    return false;
  }
}

function blobsOf(collection: StoredCollection, document: StoredDocument | undefined): string[] {
  const { blobsOf: named } = collection instanceof MemoryCollection ? collection : {};
  return document === undefined || named === undefined ? [] : [...named(document)];
}
