import { toDateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { subtractFromStatistics } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { isSha512 } from "./digests.ts";
import {
  type ContainerBlobRecord,
  type ContainerManifestRecord,
  type ContainerTagRecord,
  containerBlobs,
  containerManifests,
  containerTags,
  keyIn,
} from "./records.ts";

/** Finds a blob by the hexadecimal digits of either digest, as `findManifest` does. */
export function findBlob(store: Store, repositoryId: number, hex: string): ContainerBlobRecord | undefined {
  const documents = store.of(containerBlobs);
  return documents.get(documents.by[indexFor(hex)].find(keyIn(repositoryId, hex)) ?? 0);
}

export function findManifest(store: Store, repositoryId: number, hex: string): ContainerManifestRecord | undefined {
  const documents = store.of(containerManifests);
  return documents.get(documents.by[indexFor(hex)].find(keyIn(repositoryId, hex)) ?? 0);
}

function indexFor(hex: string): "sha512" | "place" {
  return isSha512(hex) ? "sha512" : "place";
}

export function findTag(store: Store, repositoryId: number, name: string): ContainerTagRecord | undefined {
  const documents = store.of(containerTags);
  return documents.get(documents.by.place.find(keyIn(repositoryId, name)) ?? 0);
}

/** One use more, or one less, of a blob; what nothing uses any more waits to be swept. */
function useBlob(tx: Transaction, { store, clock }: Context, repositoryId: number, hex: string, step: 1 | -1): void {
  const blob = findBlob(store, repositoryId, hex);
  if (blob === undefined) return;
  const reference_count = blob.reference_count + step;
  tx.update(containerBlobs, {
    ...blob,
    reference_count,
    idle_since: reference_count > 0 ? null : toDateTime(clock.now()),
  });
}

export function countManifestUse(
  tx: Transaction,
  { store, clock }: Context,
  repositoryId: number,
  hex: string,
  step: 1 | -1,
): void {
  const manifest = findManifest(store, repositoryId, hex);
  if (manifest === undefined) return;
  const reference_count = manifest.reference_count + step;
  tx.update(containerManifests, {
    ...manifest,
    reference_count,
    idle_since: reference_count > 0 ? null : toDateTime(clock.now()),
  });
}

/** Counts, or takes back, everything that a manifest names. */
export function countContentUse(
  tx: Transaction,
  context: Context,
  manifest: ContainerManifestRecord,
  step: 1 | -1,
): void {
  for (const hex of manifest.blobs) useBlob(tx, context, manifest.repository_id, hex, step);
  for (const hex of manifest.manifests) countManifestUse(tx, context, manifest.repository_id, hex, step);
}

/** Removes a manifest whose tags are removed already. */
export function removeManifest(tx: Transaction, context: Context, manifest: ContainerManifestRecord): void {
  removeManifestAlone(tx, context.store, manifest);
  countContentUse(tx, context, manifest, -1);
}

/** Removes a manifest; what it names goes with it. */
export function removeManifestAlone(tx: Transaction, store: Store, manifest: ContainerManifestRecord): void {
  tx.remove(containerManifests, manifest.id);
  subtractFromStatistics(tx, store, manifest.project_id, { container_registry_size: manifest.size });
}

export function removeBlob(tx: Transaction, store: Store, blob: ContainerBlobRecord): void {
  tx.remove(containerBlobs, blob.id);
  subtractFromStatistics(tx, store, blob.project_id, { container_registry_size: blob.size });
}

export function removeTag(tx: Transaction, context: Context, tag: ContainerTagRecord): void {
  tx.remove(containerTags, tag.id);
  countManifestUse(tx, context, tag.repository_id, tag.digest, -1);
}
