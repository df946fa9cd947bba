import type { SignedInCaller } from "../../../domain/caller.ts";
import { nextTurn, withoutBudget } from "../../../domain/work-budget.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { addToStatistics, Quotas } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { RemovalBudget } from "../../kernel/removal.ts";
import { recordTagsDeleted } from "./audit.ts";
import { digestOf, hexOf, isSha512, readDigest, sha512Of } from "./digests.ts";
import { digestInvalid, manifestUnknown, RegistryFailure, tagInvalid } from "./distribution/failures.ts";
import { type ManifestShape, readManifest } from "./manifest-shape.ts";
import { ManifestTurns } from "./manifest-turns.ts";
import { getRepositoryByPath, getRepositoryPath, pullLevel, pushLevel, type RepositoryPath } from "./policy.ts";
import {
  type ContainerManifestRecord,
  type ContainerRepositoryRecord,
  type ContainerTagRecord,
  containerManifests,
  containerTags,
  keyIn,
} from "./records.ts";
import { findOrInsertRepository } from "./service-blobs.ts";
import {
  countContentUse,
  countManifestUse,
  findBlob,
  findManifest,
  findTag,
  removeManifest,
  removeTag,
} from "./service-references.ts";

const shownMissingMax = 100;
/** Tags that one step of the deletion of a manifest removes. */
const stepMax = 200;
const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;

/** The manifest of a tag or digest. Throws 404 and 403. */
export function getManifest(
  context: Context,
  caller: SignedInCaller,
  path: string,
  reference: string,
): ContainerManifestRecord {
  const { store } = context;
  const repository = getRepositoryByPath(context, caller, path, pullLevel);
  const hex = hexOf(reference) ?? findTag(store, repository.id, reference)?.digest;
  const found = hex === undefined ? undefined : findManifest(store, repository.id, hex);
  if (found === undefined) throw manifestUnknown(reference);
  return found;
}

/** A manifest that a client pushes. */
export interface PushedManifest {
  /** A tag, or the digest that the bytes must have. */
  readonly reference: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Keeps a manifest, and lets its tag stand for it. Throws 400 for what is not whole. */
export async function createManifest(
  context: Context,
  caller: SignedInCaller,
  place: RepositoryPath,
  { reference, mediaType, bytes }: PushedManifest,
): Promise<{ readonly digest: string; readonly subject: string | undefined }> {
  const { store } = context;
  const hex = reference.includes(":") ? readDigest(reference) : undefined;
  if (hex === undefined && !tagPattern.test(reference)) throw tagInvalid(reference);
  const shape = readManifest(bytes, mediaType);
  const sha512 = hex !== undefined && isSha512(hex) ? await sha512Of([bytes]) : undefined;
  const stored = await context.get(Quotas).writeBlob(`project ${place.project.id}`, [bytes]);
  try {
    if (hex !== undefined && hex !== (sha512 ?? stored.hash)) throw digestInvalid(reference);
    await context.get(ManifestTurns).run(() =>
      store.transact((tx) => {
        const now = getRepositoryPath(context, caller, place.path, pushLevel);
        const repositoryId = findOrInsertRepository(tx, context, now);
        const whole = resolve(store, repositoryId, shape);
        insertManifest(tx, context, now, repositoryId, whole, { ...stored, sha512 });
        if (hex === undefined) pointTag(tx, context, now, repositoryId, reference, stored.hash);
      }),
    );
  } finally {
    stored.release();
  }
  return { digest: digestOf(hex ?? stored.hash), subject: shape.subject };
}

/** Removes a tag, or a manifest by its digest with the tags that stand for it. Throws 404. */
export async function deleteReference(
  context: Context,
  caller: SignedInCaller,
  path: string,
  reference: string,
): Promise<void> {
  const { store } = context;
  const repository = getRepositoryByPath(context, caller, path, pushLevel);
  const hex = hexOf(reference);
  if (hex === undefined) {
    const tag = findTag(store, repository.id, reference);
    if (tag === undefined) throw manifestUnknown(reference);
    store.transact((tx) => {
      removeTag(tx, context, tag);
      recordTagsDeleted(tx, context, caller, repository, [reference]);
    });
    return;
  }
  if (findManifest(store, repository.id, hex) === undefined) throw manifestUnknown(reference);
  const removeSome = () => store.transact((tx) => removeTagged(tx, context, caller, repository, hex));
  // No work budget: a manifest with many tags must be deletable, too.
  await withoutBudget(async () => {
    while (!removeSome()) {
      await store.settled();
      await nextTurn();
    }
  });
}

/** Removes tags of a manifest, and the manifest once none is left. False: there is more. */
function removeTagged(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  repository: ContainerRepositoryRecord,
  hex: string,
): boolean {
  const { store } = context;
  const manifest = findManifest(store, repository.id, hex);
  if (manifest === undefined) return true;
  const tags = store.of(containerTags);
  const names: string[] = [];
  const budget = new RemovalBudget(tx, stepMax);
  budget.each(
    () => tags.by.manifest.find(keyIn(repository.id, manifest.digest)),
    (id) => {
      const tag = tags.get(id) as ContainerTagRecord;
      removeTag(tx, context, tag);
      names.push(tag.name);
    },
  );
  if (names.length > 0) recordTagsDeleted(tx, context, caller, repository, names);
  if (budget.left === 0) return false;
  // The last tag has changed it.
  removeManifest(tx, context, findManifest(store, repository.id, hex) as ContainerManifestRecord);
  return true;
}

/**
 * Replaces the digests that a manifest names by their SHA-256, each once. Throws 400 with an error for each of the first
 * hundred blobs and manifests that the repository does not have.
 */
function resolve(store: Store, repositoryId: number, shape: ManifestShape): ManifestShape {
  const missing: string[] = [];
  const found = (hexes: readonly string[], find: typeof findBlob | typeof findManifest) => {
    const digests = hexes.flatMap((hex) => {
      const known = find(store, repositoryId, hex);
      if (known === undefined) missing.push(hex);
      return known?.digest ?? [];
    });
    return [...new Set(digests)];
  };
  const [blobs, manifests] = [found(shape.blobs, findBlob), found(shape.manifests, findManifest)];
  const [config] = shape.config === undefined ? [] : found([shape.config], findBlob);
  if (missing.length === 0) return { ...shape, blobs, manifests, config };
  const errors = [...new Set(missing)].slice(0, shownMissingMax).map((hex) => ({
    code: "MANIFEST_BLOB_UNKNOWN",
    message: "manifest references a manifest or blob unknown to registry",
    detail: { digest: digestOf(hex) },
  }));
  throw new RegistryFailure("invalid", errors);
}

function insertManifest(
  tx: Transaction,
  context: Context,
  { project }: RepositoryPath,
  repository_id: number,
  { mediaType, blobs, manifests, config, layersSize, subject, artifact_type }: ManifestShape,
  { hash, size, sha512 }: { readonly hash: string; readonly size: number; readonly sha512: string | undefined },
): void {
  const { store, clock } = context;
  const known = findManifest(store, repository_id, hash);
  const more = {
    ...(sha512 === undefined ? {} : { sha512 }),
    ...(subject === undefined ? {} : { subject }),
    ...(artifact_type === undefined ? {} : { artifact_type }),
  };
  if (known !== undefined) {
    // A push by digest ends the wait for a tag; the last push declares the type.
    tx.update(containerManifests, { ...known, ...more, idle_since: null, media_type: mediaType });
    return;
  }
  const children = manifests.map((hex) => findManifest(store, repository_id, hex)?.total_size ?? 0);
  const manifest = tx.insert(containerManifests, {
    id: tx.nextId("container_manifests"),
    repository_id,
    project_id: project.id,
    digest: hash,
    ...more,
    size,
    media_type: mediaType,
    blobs,
    manifests,
    ...(config === undefined ? {} : { config }),
    total_size: Math.min(
      children.reduce((sum, size) => sum + size, layersSize),
      Number.MAX_SAFE_INTEGER,
    ),
    created_at: toDateTime(clock.now()),
    // An index may have been there before it, when it was deleted and comes again.
    reference_count: store.of(containerManifests).by.child.find(keyIn(repository_id, hash)).size,
    idle_since: null,
  });
  addToStatistics(tx, context, project.id, { container_registry_size: size });
  countContentUse(tx, context, manifest, 1);
}

function pointTag(
  tx: Transaction,
  context: Context,
  { project }: RepositoryPath,
  repository_id: number,
  name: string,
  digest: string,
): void {
  const { store, clock } = context;
  const now = toDateTime(clock.now());
  const before = findTag(store, repository_id, name);
  countManifestUse(tx, context, repository_id, digest, 1);
  if (before === undefined) {
    const fresh = { id: tx.nextId("container_tags"), repository_id, project_id: project.id, name, digest };
    tx.insert(containerTags, { ...fresh, created_at: now, updated_at: now });
    return;
  }
  countManifestUse(tx, context, repository_id, before.digest, -1);
  tx.update(containerTags, { ...before, digest, updated_at: now });
}
