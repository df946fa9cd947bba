import type { Caller } from "../../domain/caller.ts";
import type { CollectionDeclaration, IndexDeclarations, StoredDocument, Transaction } from "../../store/index.ts";
import type { Context } from "./context.ts";
import { type DomainEvent, domainEvent, publish } from "./event.ts";

/** A record before and after a change: `before` is undefined for a new one, `after` for one that was deleted. */
export interface RecordChange<T, C = Caller> {
  /** The caller who caused the change; `theServer` where no request did. */
  readonly caller: C;
  readonly before: T | undefined;
  readonly after: T | undefined;
}

export interface RecordCreated<T, C = Caller> extends RecordChange<T, C> {
  readonly before: undefined;
  readonly after: T;
}

export interface RecordUpdated<T, C = Caller> extends RecordChange<T, C> {
  readonly before: T;
  readonly after: T;
}

export interface RecordDeleted<T, C = Caller> extends RecordChange<T, C> {
  readonly before: T;
  readonly after: undefined;
}

/** The domain events about the records of a collection. `C` is the type of their callers; `X` what they say beside that. */
export interface RecordEvents<T extends StoredDocument, C extends Caller = Caller, X = unknown> {
  readonly collection: CollectionDeclaration<T, IndexDeclarations<T>>;
  readonly created: DomainEvent<RecordCreated<T, C> & X>;
  readonly updated: DomainEvent<RecordUpdated<T, C> & X>;
  readonly deleted: DomainEvent<RecordDeleted<T, C> & X>;
  /** All three, for the manifest. */
  readonly all: readonly DomainEvent<unknown>[];
}

/** `recordEvents("issue", issues)` has `issue-created`, `issue-updated` and `issue-deleted`. */
export function recordEvents<T extends StoredDocument, C extends Caller = Caller, X = unknown>(
  noun: string,
  collection: RecordEvents<T>["collection"],
): RecordEvents<T, C, X> {
  const created = domainEvent<RecordCreated<T, C> & X>(`${noun}-created`, collection.name);
  const updated = domainEvent<RecordUpdated<T, C> & X>(`${noun}-updated`, collection.name);
  const deleted = domainEvent<RecordDeleted<T, C> & X>(`${noun}-deleted`, collection.name);
  return { collection, created, updated, deleted, all: [created, updated, deleted] };
}

/** Inserts a record, and publishes that. */
export function insertRecord<T extends StoredDocument, C extends Caller>(
  tx: Transaction,
  context: Context,
  caller: NoInfer<C>,
  { collection, created }: RecordEvents<T, C>,
  record: NoInfer<T>,
): T {
  const after = tx.insert(collection, record);
  publish(tx, context, created, { caller, before: undefined, after });
  return after;
}

/** Replaces the record of the same id, and publishes that. */
export function updateRecord<T extends StoredDocument, C extends Caller>(
  tx: Transaction,
  context: Context,
  caller: NoInfer<C>,
  { collection, updated }: RecordEvents<T, C>,
  record: NoInfer<T>,
): T {
  const before = getRecord(context, collection, record.id);
  const after = tx.update(collection, record);
  publish(tx, context, updated, { caller, before, after });
  return after;
}

/** Removes a record, and publishes that. */
export function removeRecord<T extends StoredDocument, C extends Caller>(
  tx: Transaction,
  context: Context,
  caller: NoInfer<C>,
  { collection, deleted }: RecordEvents<T, C>,
  id: number,
): void {
  const before = getRecord(context, collection, id);
  tx.remove(collection, id);
  publish(tx, context, deleted, { caller, before, after: undefined });
}

function getRecord<T extends StoredDocument>(
  { store }: Context,
  collection: RecordEvents<T>["collection"],
  id: number,
): T {
  const record = store.of(collection).get(id);
  if (record === undefined) throw new Error(`${collection.name}: no ${id}`);
  return record;
}
