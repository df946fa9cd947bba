import type { StoredDocument } from "../indexes/index.ts";

const idsPerSegmentBits = 10;
export const idsPerSegment = 1 << idsPerSegmentBits;

/** The number of the segment that holds a document. */
export function segmentNumberOf(id: number): number {
  return Math.floor(id / idsPerSegment);
}

/** A block of up to 1,024 documents with neighbouring ids: the content of one lowdb file. */
export class Segment<T extends StoredDocument = StoredDocument> {
  readonly collection: string;
  readonly number: number;
  /** Every change up to this transaction is in the file on disk; 0 without a file. */
  savedSequence = 0;
  /** The first transaction whose change is not in the file; undefined when the file is as the memory. */
  dirtySince: number | undefined;
  /** The value of `dirtySince` when the write under way began: until it ends, the journal still has to keep the change. */
  savingSince: number | undefined;
  readonly #documents: (T | undefined)[] = [];
  #count = 0;

  constructor(collection: string, number: number) {
    this.collection = collection;
    this.number = number;
  }

  get count(): number {
    return this.#count;
  }

  get(id: number): T | undefined {
    return this.#documents[id % idsPerSegment];
  }

  set(id: number, document: T | undefined): void {
    const place = id % idsPerSegment;
    const before = this.#documents[place];
    // Filled without holes, so that the array stays a dense one.
    while (this.#documents.length < place) this.#documents.push(undefined);
    this.#documents[place] = document;
    this.#count += (document === undefined ? 0 : 1) - (before === undefined ? 0 : 1);
  }

  /** In the order of their ids. */
  list(): T[] {
    return this.#documents.filter((document) => document !== undefined);
  }

  [Symbol.iterator](): Iterator<T> {
    return this.list().values();
  }

  markDirty(sequence: number): void {
    this.dirtySince ??= sequence;
  }

  /** The oldest transaction that the journal must keep for this segment. */
  get neededSince(): number | undefined {
    return this.savingSince ?? this.dirtySince;
  }
}
