import type { StoredDocument } from "../indexes/index.ts";

const idsPerSegmentBits = 10;
export const idsPerSegment = 1 << idsPerSegmentBits;

/** Returns the number of the segment that holds a document. */
export function segmentNumberOf(id: number): number {
  return Math.floor(id / idsPerSegment);
}

/** A block of up to 1,024 documents with neighbouring ids: the content of one lowdb file. */
export class Segment<T extends StoredDocument = StoredDocument> {
  readonly collection: string;
  readonly number: number;
  /** The file has every change up to this transaction; 0 without a file. */
  savedSequence = 0;
  /** The first transaction whose change is not in the file; undefined when the file is up to date. */
  dirtySince: number | undefined;
  /** The value of `dirtySince` when the current write began. The journal must keep the change until the write ends. */
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
    // Fills the array without holes, so that it stays dense.
    while (this.#documents.length < place) this.#documents.push(undefined);
    this.#documents[place] = document;
    this.#count += (document === undefined ? 0 : 1) - (before === undefined ? 0 : 1);
  }

  /** Returns the documents in the order of their ids. */
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
