/** The storage limits of projects and of the server. */

import { Failure } from "../../../domain/failure.ts";
import { type DiskSpace, diskSpaceOf, type Store } from "../../../store/index.ts";
import type { StorageLimits } from "../../kernel/context.ts";
import { serviceKey } from "../../kernel/service.ts";
import { projects } from "./records-projects.ts";

export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Whose storage something takes up; undefined: that of no project. */
export type StorageOwner = { readonly project: number } | undefined;

/** Bytes that arrive between two looks at the disk. */
const diskLookBytes = 64 << 20;

/** Refuses what would store more than the limits allow. Documents are not counted: small writes go on. */
export class StorageQuotas {
  readonly #store: Store;
  readonly #limits: StorageLimits;
  readonly #readSpace: () => DiskSpace | undefined;
  #totalBytes = 0;

  constructor(store: Store, limits: StorageLimits, readSpace = () => diskSpaceOf(limits.folder)) {
    this.#store = store;
    this.#limits = limits;
    this.#readSpace = readSpace;
    if (limits.totalBytes !== undefined) this.#watchTotal();
  }

  /** Throws 507 when there is no room for additional bytes. */
  requireRoom(owner: StorageOwner, bytes: number): void {
    this.#requireDiskSpace();
    this.#requireQuota(owner, bytes);
  }

  /**
   * Hands on bytes that arrive, after `before` that came in other requests. Throws 507 instead of those that do
   * not fit any more.
   */
  async *limit(owner: StorageOwner, chunks: Chunks, before = 0): AsyncGenerator<Uint8Array, void> {
    this.requireRoom(owner, before);
    let bytes = before;
    let lookedAt = before;
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      this.#requireQuota(owner, bytes);
      if (bytes - lookedAt >= diskLookBytes) {
        this.#requireDiskSpace();
        lookedAt = bytes;
      }
      yield chunk;
    }
  }

  #requireQuota(owner: StorageOwner, bytes: number): void {
    const { projectBytes, totalBytes } = this.#limits;
    if (projectBytes !== undefined && owner !== undefined && this.#bytesOf(owner.project) + bytes > projectBytes) {
      throw noRoom(`the project may store at most ${projectBytes} bytes`);
    }
    if (totalBytes !== undefined && this.#totalBytes + bytes > totalBytes) {
      throw noRoom(`all projects together may store at most ${totalBytes} bytes`);
    }
  }

  #requireDiskSpace(): void {
    const { minFreePercent } = this.#limits;
    if (minFreePercent === 0) return;
    const space = this.#readSpace();
    if (space === undefined || space.freeBytes * 100 >= space.sizeBytes * minFreePercent) return;
    throw noRoom(`less than ${minFreePercent} % of the disk is free`);
  }

  #bytesOf(projectId: number): number {
    return this.#store.of(projects).get(projectId)?.statistics?.storage_size ?? 0;
  }

  #watchTotal(): void {
    const { by } = this.#store.of(projects);
    for (const id of by.id.between(undefined, undefined)) this.#totalBytes += this.#bytesOf(id);
    this.#store.watch(projects, (before, after) => {
      this.#totalBytes += (after?.statistics?.storage_size ?? 0) - (before?.statistics?.storage_size ?? 0);
    });
  }
}

/** Refuses uploads and pushes beyond the storage limits. */
export const Quotas = serviceKey("quotas", ({ store, storageLimits }) => new StorageQuotas(store, storageLimits));

function noRoom(reason: string): Failure {
  return new Failure("no_room", { message: `507 Insufficient Storage - ${reason}` });
}
