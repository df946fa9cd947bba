import { documentSteps, spend, withoutBudget } from "../domain/work-budget.ts";
import { type Pace, type Steps, stepLength } from "../lib/yield.ts";
import { type Index, type IndexDeclaration, type LiveIndex, multi, type StoredDocument } from "./indexes/index.ts";
import { IndexSet } from "./indexes/index-set.ts";
import type { MultiIndex } from "./indexes/multi-index.ts";
import type { OrderedIndex } from "./indexes/ordered-index.ts";
import { TextIndex } from "./indexes/text-index.ts";
import { Bitmap } from "./query/bitmap.ts";
import { declareRecord, type RecordDeclaration, type RecordOptions } from "./records/declaration.ts";
import type { RecordOf, RecordSchema } from "./records/record.ts";
import type { Segment } from "./segments/segment.ts";
import { type SegmentWriterOptions, segmentNumbersIn } from "./segments/segment-file.ts";
import { Segments } from "./segments/segments.ts";
import type { StoredCollection } from "./stored-collection.ts";

export type IndexDeclarations<T> = { readonly [name: string]: IndexDeclaration<T> };

/** The schema of a resource's documents and their indexes. Each resource declares its own. */
export interface CollectionDeclaration<T extends StoredDocument, D extends IndexDeclarations<T>>
  extends RecordDeclaration {
  readonly kind: "hot";
  readonly indexes: D;
  /** Returns the hashes of the blobs that a document needs. */
  readonly blobsOf?: ((document: T) => readonly string[]) | undefined;
}

export interface CollectionOptions<T extends StoredDocument, D> extends RecordOptions<T> {
  readonly indexes?: D;
  readonly blobsOf?: (document: T) => readonly string[];
}

/**
 * Declares a collection of documents of the schema. The name is in kebab-case and plural; it is also the name of the folder.
 */
export function collection<
  S extends RecordSchema & { readonly static: StoredDocument },
  const D extends IndexDeclarations<RecordOf<S>> = Record<never, never>,
>(name: string, schema: S, options: CollectionOptions<RecordOf<S>, D> = {}): CollectionDeclaration<RecordOf<S>, D> {
  const { indexes = {} as D, blobsOf } = options;
  return { kind: "hot", ...declareRecord(name, schema, options), indexes, blobsOf };
}

/** The read access to a collection. Reads are synchronous and come from memory. */
export interface Documents<T extends StoredDocument, D extends IndexDeclarations<T>> {
  readonly size: number;
  /** The path of the folder with the collection's files. */
  readonly folder: string;
  /** The ids of all documents. */
  readonly ids: Pick<Bitmap, "firstFrom" | "lastUpTo">;
  get(id: number): T | undefined;
  /** The declared indexes by name. */
  readonly by: { readonly [K in keyof D]: LiveIndex<T, D[K]> };
}

/** The name of the index of the blobs that documents need. */
const blobsIndex = "blobs that are needed";

/**
 * The function that the collection calls with each change; undefined stands for no document. It must neither throw nor
 * change the store.
 */
export type Watcher<T> = (before: T | undefined, after: T | undefined) => void;

/** A collection whose documents are all in memory, and on disk in segments. */
export class MemoryCollection<T extends StoredDocument = StoredDocument> implements StoredCollection<T> {
  readonly name: string;
  /** The ids of all documents. */
  readonly ids = new Bitmap();
  /** Returns the hashes of the blobs that a document needs; undefined when documents of this collection need none. */
  readonly blobsOf: ((document: T) => readonly string[]) | undefined;
  readonly #indexes: IndexSet<T>;
  readonly #segments: Segments<T>;
  readonly #watchers: Watcher<T>[] = [];
  #changedAt = 0;

  constructor(
    declared: CollectionDeclaration<T, IndexDeclarations<T>>,
    documentsFolder: string,
    writer: SegmentWriterOptions,
  ) {
    this.name = declared.name;
    this.#segments = new Segments(declared.name, `${documentsFolder}/${declared.name}`, writer);
    const { indexes, blobsOf } = declared;
    this.#indexes = new IndexSet(
      declared.name,
      blobsOf === undefined ? indexes : { ...indexes, [blobsIndex]: multi(blobsOf) },
      () => this.#list(),
    );
    this.blobsOf = blobsOf;
  }

  get folder(): string {
    return this.#segments.folder;
  }

  get size(): number {
    return this.ids.size;
  }

  get changedAt(): number {
    return this.#changedAt;
  }

  get(id: number): T | undefined {
    spend(documentSteps);
    return this.#segments.get(id);
  }

  peek(id: number): T | undefined {
    return this.#segments.get(id);
  }

  *[Symbol.iterator](): Generator<T> {
    for (const segment of this.#segments) yield* segment.list();
  }

  /** Returns the documents as a list: walking a list takes a third of the time of a generator. */
  #list(): readonly T[] {
    return [...this.#segments].flatMap((segment) => segment.list());
  }

  get by(): Readonly<Record<string, Index<T>>> {
    return this.#indexes.by;
  }

  /** Returns the index of that name; throws when none is declared. */
  index(name: string): Index<T> {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new Error(`${this.name}: no index ${name}`);
    return index;
  }

  /** Returns the order of that name; throws when none is declared. */
  order(name: string): OrderedIndex<T> {
    const index = this.index(name);
    if (!("walk" in index)) throw new Error(`${this.name}: ${name} is no order`);
    return index as OrderedIndex<T>;
  }

  put(id: number, document: T | undefined): T | undefined {
    const before = this.#segments.get(id);
    this.#indexes.replace(before, document);
    this.putUnindexed(id, document);
    if (this.#watchers.length > 0) this.#tellWatchers(before, document);
    return before;
  }

  /** Calls every watcher even after one throws: a skipped watcher would no longer match the documents. */
  #tellWatchers(before: T | undefined, document: T | undefined): void {
    withoutBudget(() => {
      for (const watcher of this.#watchers) watcher(before, document);
    });
  }

  watch(watcher: Watcher<T>): void {
    this.#watchers.push(watcher);
  }

  /** True when a document needs this blob. */
  namesBlob(hash: string): boolean {
    return this.blobsOf !== undefined && this.#blobs.find(hash).size > 0;
  }

  /** Yields every blob that a document needs, with one document that does. */
  *namedBlobs(): Generator<{ id: number; hash: string }> {
    if (this.blobsOf === undefined) return;
    for (const hash of this.#blobs.keys()) {
      for (const id of this.#blobs.find(hash)) yield { id, hash: String(hash) };
    }
  }

  putUnindexed(id: number, document: T | undefined): void {
    this.#segments.set(id, document);
    if (document === undefined) this.ids.delete(id);
    else this.ids.add(id);
  }

  markDirty(id: number, sequence: number): void {
    this.#changedAt = sequence;
    this.#segments.markDirty(id, sequence);
  }

  savedSequenceOf(id: number): number {
    return this.#segments.savedSequenceOf(id);
  }

  latestSavedSequence(): number {
    return this.#segments.latestSavedSequence();
  }

  fileNames(): string[] {
    return this.#segments.fileNames();
  }

  async load(names: readonly string[], pace: Pace): Promise<void> {
    for (const number of segmentNumbersIn(names)) {
      for (const { id } of await this.#segments.load(number)) this.ids.add(id);
      await pace();
    }
  }

  /** Builds the unique indexes. The others are built by their first use or by `completeIndexes`. */
  buildIndexes(): Steps {
    return this.#indexes.buildUnique();
  }

  get indexSteps(): number {
    return Math.ceil(this.size / stepLength) * this.#indexes.uniqueCount;
  }

  /** Builds the remaining indexes. Stops early when `pace` asks for it. */
  async completeIndexes(pace: Pace): Promise<void> {
    await this.#indexes.buildRest(pace);
    for (const index of this.#indexes.values()) {
      if (index instanceof TextIndex) await index.fill(this, pace);
    }
  }

  segments(): Iterable<Segment<T>> {
    return this.#segments;
  }

  async save(segment: Segment<T>): Promise<void> {
    await this.#segments.save(segment);
  }

  get #blobs(): MultiIndex<T> {
    return this.index(blobsIndex) as MultiIndex<T>;
  }
}
