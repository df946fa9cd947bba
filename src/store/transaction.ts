import type {
  AnyCollectionDeclaration,
  CollectionDeclaration,
  HotCollection,
  IndexDeclarations,
} from "./collection.ts";
import type { StoredDocument } from "./indexes/index.ts";
import type { Change } from "./journal-line.ts";
import { type SequenceRecord, sequences } from "./sequences.ts";

/** What a change may do. Everything in it becomes durable together, or not at all. */
export interface Transaction {
  /** The next number of a sequence, from 1 upwards; a number is never given twice, whatever is removed. */
  nextId(sequence: string): number;
  insert<T extends StoredDocument, D extends IndexDeclarations<T>>(into: CollectionDeclaration<T, D>, document: T): T;
  /** Replaces the document of the same id, which must exist. */
  update<T extends StoredDocument, D extends IndexDeclarations<T>>(of: CollectionDeclaration<T, D>, document: T): T;
  remove<T extends StoredDocument, D extends IndexDeclarations<T>>(from: CollectionDeclaration<T, D>, id: number): void;
}

interface Undo {
  readonly collection: HotCollection;
  readonly id: number;
  readonly before: StoredDocument | undefined;
}

/** Changes memory at once, so that the transaction sees its own changes, and remembers how to take them back. */
export class OpenTransaction implements Transaction {
  readonly #find: (declared: AnyCollectionDeclaration) => HotCollection;
  readonly #undo: Undo[] = [];

  constructor(find: (declared: AnyCollectionDeclaration) => HotCollection) {
    this.#find = find;
  }

  nextId(name: string): number {
    const collection = this.#find(sequences) as unknown as HotCollection<SequenceRecord>;
    const id = (collection.by.name as unknown as { find(key: string): number | undefined }).find(name);
    const record = id === undefined ? undefined : collection.get(id);
    const last = (record?.last ?? 0) + 1;
    if (record === undefined) this.insert(sequences, { id: collection.size + 1, name, last });
    else this.update(sequences, { ...record, last });
    return last;
  }

  insert<T extends StoredDocument, D extends IndexDeclarations<T>>(into: CollectionDeclaration<T, D>, document: T): T {
    const collection = this.#find(into);
    if (!Number.isSafeInteger(document.id) || document.id < 1) throw new Error(`${into.name}: ${document.id} is no id`);
    if (collection.get(document.id) !== undefined) throw new Error(`${into.name}: ${document.id} exists`);
    this.#put(collection, document.id, document);
    return document;
  }

  update<T extends StoredDocument, D extends IndexDeclarations<T>>(of: CollectionDeclaration<T, D>, document: T): T {
    const collection = this.#find(of);
    if (collection.get(document.id) === undefined) throw new Error(`${of.name}: no ${document.id}`);
    this.#put(collection, document.id, document);
    return document;
  }

  remove<T extends StoredDocument, D extends IndexDeclarations<T>>(
    from: CollectionDeclaration<T, D>,
    id: number,
  ): void {
    const collection = this.#find(from);
    if (collection.get(id) === undefined) throw new Error(`${from.name}: no ${id}`);
    this.#put(collection, id, undefined);
  }

  /** The final state of every document that was touched, in the order of first touch. */
  changes(): Change[] {
    const seen = new Map<HotCollection, Set<number>>();
    const changes: Change[] = [];
    for (const { collection, id } of this.#undo) {
      const ids = seen.get(collection) ?? new Set();
      if (ids.has(id)) continue;
      seen.set(collection, ids.add(id));
      changes.push([collection.name, id, collection.get(id) ?? null]);
    }
    return changes;
  }

  markDirty(sequence: number): void {
    for (const { collection, id } of this.#undo) collection.markDirty(id, sequence);
  }

  rollBack(): void {
    for (const { collection, id, before } of this.#undo.reverse()) collection.put(id, before);
    this.#undo.length = 0;
  }

  #put(collection: HotCollection, id: number, document: StoredDocument | undefined): void {
    this.#undo.push({ collection, id, before: collection.put(id, document) });
  }
}
