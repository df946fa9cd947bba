/** The uploads of blobs that are not finished. */

import type { Clock } from "../../../../domain/clock.ts";
import { Failure } from "../../../../domain/failure.ts";
import type { Randomness } from "../../../../lib/randomness.ts";
import type { BlobDraft, Store, StoredBlob } from "../../../../store/index.ts";
import { Quotas } from "../../../core/namespaces/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { serviceKey } from "../../../kernel/service.ts";
import type { BytesUnderWay, StorageQuotas } from "../../../kernel/storage-quotas.ts";
import { tooManyUploads, uploadInvalid, uploadUnknown } from "./failures.ts";

/** The target of an upload, and its user: only that user may continue it. */
export interface UploadOwner {
  readonly userId: number;
  readonly projectId: number;
  readonly name: string;
}

/** A blob on its way, over one request or several. */
export interface BlobUpload {
  readonly id: string;
  readonly size: number;
  readonly hash: string;
  append(chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** The end of the upload, as `discard` is. */
  keep(): Promise<StoredBlob>;
  discard(): void;
}

const uploadsMax = 1_000;
/** The most open uploads of one user, so that one user cannot keep others from pushing. */
const ownUploadsMax = 100;
/** An upload without progress for this long is removed. */
const idleMsMax = 60 * 60_000;

interface Held extends UploadOwner {
  readonly id: string;
  draft: BlobDraft | undefined;
  readonly underWay: BytesUnderWay;
  touchedAt: number;
  isBusy: boolean;
}

/**
 * The uploads under way. They are known to this process alone: after a restart, clients must begin again, and the
 * store has removed their bytes.
 */
export class UploadSessions {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #randomness: Randomness;
  readonly #quotas: StorageQuotas;
  readonly #held = new Map<string, Held>();

  constructor(context: Context) {
    this.#store = context.store;
    this.#clock = context.clock;
    this.#randomness = context.randomness;
    this.#quotas = context.get(Quotas);
  }

  /** Throws 429 when there are too many. */
  begin(owner: UploadOwner): string {
    this.expire();
    const own = [...this.#held.values()].filter(({ userId }) => userId === owner.userId).length;
    if (own >= ownUploadsMax || this.#held.size >= uploadsMax) throw tooManyUploads();
    const id = this.#randomness.uuid();
    const underWay = this.#quotas.begin(`project ${owner.projectId}`);
    this.#held.set(id, { ...owner, id, underWay, draft: undefined, touchedAt: this.#clock.now(), isBusy: false });
    return id;
  }

  /** Bytes that came so far. Throws 404. */
  sizeOf(id: string, owner: UploadOwner): number {
    return this.#find(id, owner).draft?.size ?? 0;
  }

  /** Throws 404 for an upload that is not the owner's, 400 while another request works on it. */
  async workOn<R>(id: string, owner: UploadOwner, work: (upload: BlobUpload) => Promise<R>): Promise<R> {
    const held = this.#find(id, owner);
    if (held.isBusy) throw uploadInvalid("another request works on the upload");
    held.isBusy = true;
    try {
      held.draft ??= this.#store.blobs.begin();
      const { draft } = held;
      return await work({
        id,
        get size() {
          return draft.size;
        },
        get hash() {
          return draft.hash;
        },
        append: (chunks) => this.#append(held, draft, chunks),
        keep: () => this.#keep(held, draft),
        discard: () => this.#discard(held),
      });
    } catch (error) {
      // An upload that does not fit must not take up space for an hour.
      if (error instanceof Failure && error.kind === "no_room") this.#discard(held);
      throw error;
    } finally {
      held.isBusy = false;
      held.touchedAt = this.#clock.now();
    }
  }

  /** Throws 404, and 400 while a request works on it. */
  cancel(id: string, owner: UploadOwner): void {
    const held = this.#find(id, owner);
    if (held.isBusy) throw uploadInvalid("another request works on the upload");
    this.#discard(held);
  }

  /** Throws away what is left of an upload, if anything is. */
  forget(id: string): void {
    const held = this.#held.get(id);
    if (held !== undefined) this.#discard(held);
  }

  /** Removes uploads without progress for an hour. */
  expire(): void {
    const oldest = this.#clock.now() - idleMsMax;
    for (const held of this.#held.values()) if (!held.isBusy && held.touchedAt <= oldest) this.#discard(held);
  }

  async #append(held: Held, draft: BlobDraft, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      await draft.append(this.#quotas.limitPart(`project ${held.projectId}`, chunks, held.underWay));
    } finally {
      // A piece may have ended before all of it was written.
      if (this.#held.has(held.id)) held.underWay.set(draft.size);
    }
  }

  async #keep(held: Held, draft: BlobDraft): Promise<StoredBlob> {
    this.#held.delete(held.id);
    try {
      return await draft.keep();
    } catch (error) {
      draft.discard();
      throw error;
    } finally {
      held.underWay.end();
    }
  }

  #discard(held: Held): void {
    this.#held.delete(held.id);
    held.draft?.discard();
    held.underWay.end();
  }

  #find(id: string, { userId, projectId, name }: UploadOwner): Held {
    const held = this.#held.get(id);
    const isTheirs = held?.userId === userId && held.projectId === projectId && held.name === name;
    if (held === undefined || !isTheirs) throw uploadUnknown();
    return held;
  }
}

/** Holds the image layers that are being pushed. */
export const BlobUploads = serviceKey("blob-uploads", (context) => new UploadSessions(context));
