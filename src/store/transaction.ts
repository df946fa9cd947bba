import { hasBudget, spend, withoutBudget } from "../domain/work-budget.ts";
import type { CollectionDeclaration, Documents, IndexDeclarations } from "./collection.ts";
import type { StoredDocument } from "./indexes/index.ts";
import type { Change } from "./journal/journal-line.ts";
import type { LogDeclaration } from "./logs/declaration.ts";
import { copyOf } from "./records/copy.ts";
import { DocumentSet } from "./records/document-set.ts";
import { lastIdOf, type SequenceRecord, sequences } from "./sequences.ts";
import type { StoredCollection } from "./stored-collection.ts";

/** The steps of one written document, with all its indexes. */
const writeSteps = 2_000;

/** Up to this many changes are compared pairwise, which is faster than building sets of their ids. */
const fewChanges = 8;

/** The operations of a change. Either all of them become durable, or none. */
export interface Transaction {
  /** The number of characters written so far, as JSON. Long work starts a new transaction after many. */
  readonly textLength: number;
  /** Appends to a log. */
  append<T extends StoredDocument>(to: LogDeclaration<T>, document: T): T;
  /** Returns the next number of a sequence, from 1 upwards. A number is never given twice, even after removals. */
  nextId(sequence: string): number;
  /** Makes the sequence continue above `last`. */
  advanceSequence(sequence: string, last: number): void;
  insert<T extends StoredDocument, D extends IndexDeclarations<T>>(into: CollectionDeclaration<T, D>, document: T): T;
  /** Replaces the document with the same id, which must exist. */
  update<T extends StoredDocument, D extends IndexDeclarations<T>>(of: CollectionDeclaration<T, D>, document: T): T;
  remove<T extends StoredDocument, D extends IndexDeclarations<T>>(from: CollectionDeclaration<T, D>, id: number): void;
}

/** The state of a document before a change. */
export interface Undo {
  readonly collection: StoredCollection;
  readonly id: number;
  readonly before: StoredDocument | undefined;
}

/** A transaction that changes memory at once, so that it sees its own changes, and can undo them. */
export class OpenTransaction implements Transaction {
  readonly #find: (name: string) => StoredCollection;
  readonly #sequences: Documents<SequenceRecord, typeof sequences.indexes>;
  readonly #undo: Undo[] = [];
  #textLength = 0;

  constructor(
    find: (name: string) => StoredCollection,
    sequenceDocuments: Documents<SequenceRecord, typeof sequences.indexes>,
  ) {
    this.#find = find;
    this.#sequences = sequenceDocuments;
  }

  get textLength(): number {
    return this.#textLength;
  }

  nextId(name: string): number {
    const last = this.#lastId(name) + 1;
    this.#keepLastId(name, last);
    return last;
  }

  advanceSequence(name: string, last: number): void {
    if (last > this.#lastId(name)) this.#keepLastId(name, last);
  }

  #lastId(name: string): number {
    return lastIdOf(this.#sequences, name);
  }

  #keepLastId(name: string, last: number): void {
    const id = this.#sequences.by.name.find(name);
    if (id === undefined) this.insert(sequences, { id: this.#sequences.size + 1, name, last });
    else this.update(sequences, { id, name, last });
  }

  append<T extends StoredDocument>(to: LogDeclaration<T>, document: T): T {
    return this.#insert(to.name, document);
  }

  insert<T extends StoredDocument, D extends IndexDeclarations<T>>(into: CollectionDeclaration<T, D>, document: T): T {
    return this.#insert(into.name, document);
  }

  update<T extends StoredDocument, D extends IndexDeclarations<T>>(of: CollectionDeclaration<T, D>, document: T): T {
    const collection = this.#find(of.name);
    const before = collection.get(document.id);
    if (before === undefined) throw new Error(`${of.name}: no ${document.id}`);
    const copy = copyOf(document, before as T);
    this.#put(collection, document.id, copy);
    return copy;
  }

  remove<T extends StoredDocument, D extends IndexDeclarations<T>>(
    from: CollectionDeclaration<T, D>,
    id: number,
  ): void {
    const collection = this.#find(from.name);
    if (collection.get(id) === undefined) throw new Error(`${from.name}: no ${id}`);
    this.#put(collection, id, undefined);
  }

  /** Inserts, replaces or removes a document of any collection. */
  put(name: string, id: number, document: StoredDocument | undefined): void {
    this.#put(this.#find(name), id, document);
  }

  /** Returns the state of every changed document before its first change. */
  firstStates(): Undo[] {
    if (this.#undo.length <= fewChanges) return this.#undo.filter((_, at) => this.#isFirst(at));
    const seen = new DocumentSet();
    return this.#undo.filter(({ collection, id }) => seen.add(collection.name, id));
  }

  /** Returns the final state of every changed document, in the order of its first change. */
  changes(): Change[] {
    return this.firstStates().map(({ collection, id }): Change => [collection.name, id, collection.peek(id) ?? null]);
  }

  /** True when no earlier change is of the same document. */
  #isFirst(at: number): boolean {
    const { collection, id } = this.#undo[at] as Undo;
    for (let earlier = 0; earlier < at; earlier += 1) {
      const other = this.#undo[earlier] as Undo;
      if (other.id === id && other.collection === collection) return false;
    }
    return true;
  }

  markDirty(sequence: number): void {
    for (const { collection, id } of this.#undo) collection.markDirty(id, sequence);
  }

  rollBack(): void {
    withoutBudget(() => {
      for (const { collection, id, before } of this.#undo.reverse()) collection.put(id, before);
    });
    this.#undo.length = 0;
  }

  #insert<T extends StoredDocument>(name: string, document: T): T {
    const collection = this.#find(name);
    if (!Number.isSafeInteger(document.id) || document.id < 1) throw new Error(`${name}: ${document.id} is no id`);
    if (collection.get(document.id) !== undefined) throw new Error(`${name}: ${document.id} exists`);
    const copy = copyOf(document, undefined);
    this.#put(collection, document.id, copy);
    return copy;
  }

  #put(collection: StoredCollection, id: number, document: StoredDocument | undefined): void {
    const length = textLengthOf(document);
    this.#textLength += length;
    if (hasBudget()) spend(writeSteps + length + changedBytes(collection.peek(id), document));
    this.#undo.push({ collection, id, before: collection.put(id, document) });
  }
}

/** Returns the number of characters of a document's own texts as JSON, which are indexed and journalled whole. */
function textLengthOf(document: StoredDocument | undefined): number {
  let length = 0;
  for (const value of Object.values(document ?? {})) if (typeof value === "string") length += jsonLengthOf(value);
  return length;
}

/** Returns the number of bytes of long texts that a change removes or adds. The text index takes about a step for each. */
function changedBytes(before: StoredDocument | undefined, after: StoredDocument | undefined): number {
  return bytesBeside(before, after) + bytesBeside(after, before);
}

function bytesBeside(document: StoredDocument | undefined, other: StoredDocument | undefined): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(document ?? {})) {
    const isLong = typeof value === "string" && value.length >= longTextCharacters;
    if (isLong && value !== (other as Record<string, unknown> | undefined)?.[name]) bytes += Buffer.byteLength(value);
  }
  return bytes;
}

/** Shorter texts count by their length. */
const longTextCharacters = 4_096;
/** A control character has six characters in JSON. */
const escapedCharacters = 6;
const firstPrintable = 0x20;

function jsonLengthOf(text: string): number {
  let { length } = text;
  if (length < longTextCharacters) return length;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) < firstPrintable) length += escapedCharacters - 1;
  return length;
}
