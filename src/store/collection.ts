import { Low } from "lowdb";
import { buildIndex, type Index, type IndexDeclaration, type LiveIndex, type StoredDocument } from "./indexes/index.ts";
import type { OrderedIndex } from "./indexes/ordered-index.ts";
import { Segment, segmentNumberOf } from "./segment.ts";
import { SegmentFile, type SegmentWriterOptions, segmentNumberOfFile } from "./segment-file.ts";

// biome-ignore format: one line reads better
export type IndexDeclarations<T> = { readonly [name: string]: IndexDeclaration<T> };

/** A resource's documents and what they are looked up by; declared once, next to the resource. */
export interface CollectionDeclaration<T extends StoredDocument, D extends IndexDeclarations<T>> {
  /** kebab-case plural; the folder's name. */
  readonly name: string;
  readonly indexes: D;
}

/** Fixes the document type and leaves the indexes to be inferred: `collection<User>()("users", {…})`. */
export function collection<T extends StoredDocument>() {
  return <const D extends IndexDeclarations<T>>(name: string, indexes: D): CollectionDeclaration<T, D> => ({
    name,
    indexes,
  });
}

/** Any collection, when only its name and its life on disk matter. */
export type AnyCollectionDeclaration = CollectionDeclaration<never, IndexDeclarations<never>>;

/** What may be asked of a collection. Reads see memory at once and never wait. */
export interface Documents<T extends StoredDocument, D extends IndexDeclarations<T>> {
  readonly size: number;
  get(id: number): T | undefined;
  /** The declared indexes by name. */
  readonly by: { readonly [K in keyof D]: LiveIndex<T, D[K]> };
}

/** A collection that is kept in memory whole and on disk in segments. */
export class HotCollection<T extends StoredDocument = StoredDocument> {
  readonly name: string;
  readonly folder: string;
  readonly indexes: ReadonlyMap<string, Index<T>>;
  readonly by: Readonly<Record<string, Index<T>>>;
  readonly #writer: SegmentWriterOptions;
  readonly #segments = new Map<number, Low<Segment<T>>>();
  #size = 0;

  constructor(
    declared: CollectionDeclaration<T, IndexDeclarations<T>>,
    documentsFolder: string,
    writer: SegmentWriterOptions,
  ) {
    this.name = declared.name;
    this.folder = `${documentsFolder}/${declared.name}`;
    this.#writer = writer;
    this.indexes = new Map(
      Object.entries(declared.indexes).map(([name, index]) => [name, buildIndex(`${declared.name}.${name}`, index)]),
    );
    this.by = Object.fromEntries(this.indexes);
  }

  get size(): number {
    return this.#size;
  }

  get(id: number): T | undefined {
    return this.#segments.get(segmentNumberOf(id))?.data.get(id);
  }

  *[Symbol.iterator](): Generator<T> {
    for (const { data } of this.#segments.values()) yield* data;
  }

  /** The order of that name; throws when none is declared. */
  order(name: string): OrderedIndex<T> {
    const index = this.indexes.get(name);
    if (index === undefined || !("walk" in index)) throw new Error(`${this.name}: no order ${name}`);
    return index as OrderedIndex<T>;
  }

  /** Changes memory and indexes; returns what was there. Throws, with nothing changed, when a unique key is taken. */
  put(id: number, document: T | undefined): T | undefined {
    const before = this.get(id);
    const done: Index<T>[] = [];
    for (const index of this.indexes.values()) {
      try {
        index.replace(before, document);
      } catch (error) {
        for (const each of done) each.replace(document, before);
        throw error;
      }
      done.push(index);
    }
    this.putUnindexed(id, document);
    return before;
  }

  /** For loading, before the indexes exist. */
  putUnindexed(id: number, document: T | undefined): void {
    const segment = this.#segmentOf(id);
    const countBefore = segment.count;
    segment.set(id, document);
    this.#size += segment.count - countBefore;
  }

  markDirty(id: number, sequence: number): void {
    this.#segmentOf(id).markDirty(sequence);
  }

  /** Every change up to this transaction is on disk in the document's segment. */
  savedSequenceOf(id: number): number {
    return this.#segments.get(segmentNumberOf(id))?.data.savedSequence ?? 0;
  }

  async load(): Promise<void> {
    const { disk } = this.#writer;
    for (const name of disk.list(this.folder)) {
      if (name.endsWith(".tmp")) disk.remove(`${this.folder}/${name}`);
      const number = segmentNumberOfFile(name);
      if (number === undefined) continue;
      const low = this.#lowOf(number);
      await low.read();
      this.#size += low.data.count;
    }
  }

  buildIndexes(): void {
    for (const document of this) for (const index of this.indexes.values()) index.replace(undefined, document);
  }

  *segments(): Generator<Segment<T>> {
    for (const { data } of this.#segments.values()) yield data;
  }

  /** Writes one segment back through lowdb. On an error the segment is as dirty as before. */
  async save(segment: Segment<T>): Promise<void> {
    segment.savingSince = segment.dirtySince;
    segment.dirtySince = undefined;
    try {
      if (!this.#writer.disk.exists(this.folder)) this.#writer.disk.makeFolder(this.folder);
      await this.#lowOf(segment.number).write();
    } catch (error) {
      segment.dirtySince = segment.savingSince;
      throw error;
    } finally {
      segment.savingSince = undefined;
    }
  }

  #segmentOf(id: number): Segment<T> {
    return this.#lowOf(segmentNumberOf(id)).data;
  }

  #lowOf(number: number): Low<Segment<T>> {
    const existing = this.#segments.get(number);
    if (existing !== undefined) return existing;
    const file = new SegmentFile<T>(this.#writer, this.folder, this.name, number);
    const low = new Low<Segment<T>>(file, new Segment<T>(this.name, number));
    this.#segments.set(number, low);
    return low;
  }
}
