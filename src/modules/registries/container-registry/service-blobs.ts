import type { AccessLevel } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { Failure } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { addToStatistics } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { hexOf, isSha512, readDigest, sha512Of } from "./digests.ts";
import { blobInUse, blobUnknown, digestInvalid, outOfOrder, sizeInvalid } from "./distribution/failures.ts";
import type { BlobUpload, UploadOwner } from "./distribution/uploads.ts";
import {
  findRepository,
  getRepositoryByPath,
  getRepositoryPath,
  pullLevel,
  pushLevel,
  type RepositoryPath,
} from "./policy.ts";
import { type ContainerBlobRecord, containerBlobs, containerRepositories, keyIn } from "./records.ts";
import { findBlob, removeBlob } from "./service-references.ts";

/** A blob of the repository at a path. Throws 404 and 403. */
export function getBlob(
  context: Context,
  caller: SignedInCaller,
  path: string,
  digest: string,
  level: AccessLevel = pullLevel,
): ContainerBlobRecord {
  const repository = getRepositoryByPath(context, caller, path, level);
  const hex = hexOf(digest);
  const found = hex === undefined ? undefined : findBlob(context.store, repository.id, hex);
  if (found === undefined) throw blobUnknown(digest);
  return found;
}

export function ownerOf(caller: SignedInCaller, { project, name }: RepositoryPath): UploadOwner {
  return { userId: caller.user.id, projectId: project.id, name };
}

/** The headers that report an upload's progress. */
export function uploadHeaders(
  { path }: RepositoryPath,
  id: string,
  size: number,
  baseUrl: string,
): Record<string, string> {
  return {
    Location: `${baseUrl}/v2/${path}/blobs/uploads/${id}`,
    Range: `0-${Math.max(0, size - 1)}`,
    "Docker-Upload-UUID": id,
  };
}

/** The body and headers of a request to an upload. */
export interface Piece {
  readonly stream: AsyncIterable<Uint8Array>;
  /** `first-last`, both included; null: it follows on what is there. */
  readonly range: string | null;
  readonly length: string | null;
}

/** Throws 416 for a piece that does not follow, 400 for one that is not as long as its range, 507 for what has no room. */
export async function appendPiece(
  upload: BlobUpload,
  { stream, range, length }: Piece,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  if (range === null) {
    await upload.append(stream);
    return;
  }
  const [, first, last] = /^(?:bytes )?(\d+)-(\d+)$/.exec(range) ?? [];
  const size = Number(last) - Number(first) + 1;
  if (Number(first) !== upload.size || !(size > 0)) throw outOfOrder(headers);
  if (length !== null && Number(length) !== size) throw sizeInvalid();
  const end = upload.size + size;
  await upload.append(upTo(size, stream));
  if (upload.size !== end) throw sizeInvalid();
}

/** Throws 400 in place of a chunk that goes beyond the limit of bytes. */
async function* upTo(size: number, stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let left = size;
  for await (const chunk of stream) {
    left -= chunk.byteLength;
    if (left < 0) throw sizeInvalid();
    yield chunk;
  }
}

/** The end of an upload: its bytes are those of the digest, and the repository has them. Throws 400 otherwise. */
export async function finishUpload(
  context: Context,
  caller: SignedInCaller,
  place: RepositoryPath,
  upload: BlobUpload,
  digest: string,
): Promise<void> {
  const hex = readDigest(digest);
  if (!isSha512(hex) && upload.hash !== hex) {
    upload.discard();
    throw digestInvalid(digest);
  }
  const stored = await upload.keep();
  const { blobs } = context.store;
  try {
    // The client names the digest only at the end.
    const sha512 = isSha512(hex) ? await sha512Of(Bun.file(blobs.pathOf(stored.hash)).stream()) : undefined;
    if (sha512 !== undefined && sha512 !== hex) throw digestInvalid(digest);
    context.store.transact((tx) => {
      // Layers are large: much may have happened while one came.
      const now = getRepositoryPath(context, caller, place.path, pushLevel);
      linkBlob(tx, context, now, { digest: stored.hash, sha512, size: stored.size });
    });
  } finally {
    stored.release();
  }
}

/** Gives a repository the blob of another one that the caller may pull from; false: there is none. */
export function mountBlob(
  context: Context,
  caller: SignedInCaller,
  place: RepositoryPath,
  { mount, from }: { readonly mount: string; readonly from: string },
): boolean {
  const found = readableBlob(context, caller, from, mount);
  if (found === undefined) return false;
  context.store.transact((tx) => linkBlob(tx, context, place, found));
  return true;
}

/** `DELETE …/blobs/:digest`, of one that no manifest names. Throws 404, 403 and 405. */
export function deleteBlob(context: Context, caller: SignedInCaller, path: string, digest: string): void {
  const blob = getBlob(context, caller, path, digest, pushLevel);
  if (blob.reference_count > 0) throw blobInUse(digest);
  context.store.transact((tx) => removeBlob(tx, context.store, blob));
}

function readableBlob(
  context: Context,
  caller: SignedInCaller,
  from: string,
  digest: string,
): ContainerBlobRecord | undefined {
  try {
    return getBlob(context, caller, from, digest);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** A blob that no manifest comes to name is swept again. */
function linkBlob(
  tx: Transaction,
  context: Context,
  place: RepositoryPath,
  { digest, sha512, size }: { readonly digest: string; readonly sha512?: string | undefined; readonly size: number },
): void {
  const repository_id = findOrInsertRepository(tx, context, place);
  const now = toDateTime(context.clock.now());
  const documents = context.store.of(containerBlobs);
  const known = documents.get(documents.by.place.find(keyIn(repository_id, digest)) ?? 0);
  const more = sha512 === undefined ? {} : { sha512 };
  if (known !== undefined) {
    const idle_since = known.reference_count === 0 ? now : known.idle_since;
    tx.update(containerBlobs, { ...known, ...more, idle_since });
    return;
  }
  const project_id = place.project.id;
  const idle = { reference_count: 0, idle_since: now };
  tx.insert(containerBlobs, {
    ...{ id: tx.nextId("container_blobs"), repository_id, project_id, digest, size, created_at: now },
    ...more,
    ...idle,
  });
  addToStatistics(tx, context, project_id, { container_registry_size: size });
}

/** The id of the repository at a place; the first push makes it. */
export function findOrInsertRepository(tx: Transaction, context: Context, place: RepositoryPath): number {
  const found = findRepository(context, place);
  if (found !== undefined) return found.id;
  const now = toDateTime(context.clock.now());
  return tx.insert(containerRepositories, {
    id: tx.nextId("container_repositories"),
    project_id: place.project.id,
    name: place.name,
    status: null,
    created_at: now,
    updated_at: now,
  }).id;
}
