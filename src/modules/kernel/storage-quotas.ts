/** The limits of what the server stores beside documents. */

import { Failure } from "../../domain/failure.ts";
import {
  type AnyCollectionDeclaration,
  type CollectionDeclaration,
  type DiskSpace,
  diskSpaceOf,
  type Store,
  type StoredBlob,
  type StoredDocument,
  type SumDeclaration,
} from "../../store/index.ts";
import type { StorageLimits } from "./context.ts";
import { serviceKey } from "./service.ts";

/**
 * The owner of storage: a project's, a user's outside of projects, or the server's. A collection whose documents
 * stand for bytes beside themselves has an index `storage: sum(…)` with these keys: it is all that counts them.
 */
export type StorageOwner = `project ${number}` | `user ${number}` | "server";

export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Bytes that arrive between two looks at the disk. */
const diskLookBytes = 64 << 20;

type Counted = CollectionDeclaration<StoredDocument, { readonly storage: SumDeclaration<StoredDocument> }>;

/** Refuses what would store more than the limits allow. Documents are not counted: small writes go on. */
export class StorageQuotas {
  readonly #store: Store;
  readonly #limits: StorageLimits;
  readonly #readSpace: () => DiskSpace | undefined;
  readonly #counted: readonly Counted[];
  /** Bytes on the disk that no document stands for yet. */
  readonly #underWay = new Map<StorageOwner, number>();

  constructor(
    store: Store,
    collections: readonly AnyCollectionDeclaration[],
    limits: StorageLimits,
    readSpace = () => diskSpaceOf(limits.folder),
  ) {
    this.#store = store;
    this.#limits = limits;
    this.#readSpace = readSpace;
    this.#counted = collections.filter((each) => each.kind === "hot" && "storage" in each.indexes) as Counted[];
  }

  /** Counts the bytes of an upload until it ends: many that are open count together. */
  begin(owner: StorageOwner): BytesUnderWay {
    return new BytesUnderWay((bytes) => this.#addUnderWay(owner, bytes));
  }

  #addUnderWay(owner: StorageOwner, bytes: number): void {
    const sum = (this.#underWay.get(owner) ?? 0) + bytes;
    if (sum === 0) this.#underWay.delete(owner);
    else this.#underWay.set(owner, sum);
  }

  /** Throws 507 when there is no room for additional bytes. */
  requireRoom(owner: StorageOwner, bytes: number): void {
    this.#requireDiskSpace();
    this.#requireQuota(owner, bytes);
  }

  /** Puts bytes on the disk for which there is room: the one way to write a blob. Throws 507. */
  writeBlob(owner: StorageOwner, chunks: Chunks): Promise<StoredBlob> {
    return this.#store.blobs.put(this.limit(owner, chunks));
  }

  /** Hands on bytes that arrive. Throws 507 instead of those that do not fit any more. */
  async *limit(owner: StorageOwner, chunks: Chunks): AsyncGenerator<Uint8Array, void> {
    const underWay = this.begin(owner);
    try {
      yield* this.limitPart(owner, chunks, underWay);
    } finally {
      underWay.end();
    }
  }

  /** As `limit`, for one of several requests that an upload takes. */
  async *limitPart(owner: StorageOwner, chunks: Chunks, underWay: BytesUnderWay): AsyncGenerator<Uint8Array, void> {
    this.requireRoom(owner, 0);
    let unseen = 0;
    for await (const chunk of chunks) {
      underWay.set(underWay.bytes + chunk.byteLength);
      this.#requireQuota(owner, 0);
      unseen += chunk.byteLength;
      if (unseen >= diskLookBytes) {
        this.#requireDiskSpace();
        unseen = 0;
      }
      yield chunk;
    }
  }

  #requireQuota(owner: StorageOwner, bytes: number): void {
    const { projectBytes, totalBytes } = this.#limits;
    const isLimited = projectBytes !== undefined && owner !== "server";
    const underWay = this.#underWay.get(owner) ?? 0;
    if (isLimited && this.#sum(({ storage }) => storage.of(owner)) + underWay + bytes > projectBytes) {
      throw noRoom(
        owner.startsWith("project ")
          ? `the project may store at most ${projectBytes} bytes`
          : `a user may store at most ${projectBytes} bytes outside of projects`,
      );
    }
    if (totalBytes === undefined) return;
    const allUnderWay = this.#underWay.values().reduce((sum, each) => sum + each, 0);
    if (this.#sum(({ storage }) => storage.total) + allUnderWay + bytes > totalBytes) {
      throw noRoom(`all projects together may store at most ${totalBytes} bytes`);
    }
  }

  #sum(part: (by: { readonly storage: { readonly total: number; of(key: string): number } }) => number): number {
    return this.#counted.reduce((sum, each) => sum + part(this.#store.of(each).by), 0);
  }

  #requireDiskSpace(): void {
    const { minFreePercent } = this.#limits;
    if (minFreePercent === 0) return;
    const space = this.#readSpace();
    if (space === undefined || space.freeBytes * 100 >= space.sizeBytes * minFreePercent) return;
    throw noRoom(`less than ${minFreePercent} % of the disk is free`);
  }
}

/** The bytes of one upload, as the quotas count them. */
export class BytesUnderWay {
  readonly #add: (bytes: number) => void;
  #bytes = 0;

  constructor(add: (bytes: number) => void) {
    this.#add = add;
  }

  get bytes(): number {
    return this.#bytes;
  }

  set(bytes: number): void {
    this.#add(bytes - this.#bytes);
    this.#bytes = bytes;
  }

  /** From now on a document stands for the bytes, or they are gone. */
  end(): void {
    this.set(0);
  }
}

/** Refuses uploads and pushes beyond the storage limits. */
export const Quotas = serviceKey(
  "quotas",
  ({ store, collections, storageLimits }) => new StorageQuotas(store, collections, storageLimits),
);

function noRoom(reason: string): Failure {
  return new Failure("no_room", { message: `507 Insufficient Storage - ${reason}` });
}
