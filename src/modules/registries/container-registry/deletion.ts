/** The job that deletes a repository, and its removal with the project. */

import type { Transaction } from "../../../store/index.ts";
import { type JobKind, jobKind } from "../../core/background-jobs/index.ts";
import { projectRemoval } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { containerBlobs, containerManifests, containerRepositories, containerTags } from "./records.ts";
import { removeBlob, removeManifestAlone } from "./service-references.ts";

/** Never changes: stores hold it. */
export const repositoryDeletionKind = "container_repository_deletion";

/** Things that one step takes. */
const stepMax = 50;

/** Takes a repository that is going out of the collections; the bytes are swept when no other document names them. */
export const containerRepositoryDeletion: JobKind = jobKind<{ readonly repository_id: number }>({
  kind: repositoryDeletionKind,
  async run({ context, payload: { repository_id }, pace, complete }) {
    let hasEnded = false;
    while (!hasEnded) {
      await pace();
      hasEnded = context.store.transact((tx) => {
        if (removePart(tx, context, "repository_id", repository_id, stepMax) === stepMax) return false;
        const exists = context.store.of(containerRepositories).get(repository_id) !== undefined;
        if (exists) tx.remove(containerRepositories, repository_id);
        complete(tx);
        return true;
      });
    }
  },
});

/** Images are deleted with their project. */
export const containerRegistryRemoval = projectRemoval({
  phase: 6,
  remove(tx, context, { id }, limit) {
    const taken = removePart(tx, context, "project_id", id, limit);
    const rest = [...context.store.of(containerRepositories).by.project_id.find(id)].slice(0, limit - taken);
    for (const each of rest) tx.remove(containerRepositories, each);
    return taken + rest.length;
  },
});

/**
 * Removes tags, then manifests, then blobs: a document is removed before those that it names. These go as well, so nobody counts
 * for them what names them: a manifest may name thousands.
 */
function removePart(
  tx: Transaction,
  { store }: Context,
  index: "repository_id" | "project_id",
  id: number,
  limit: number,
): number {
  let taken = 0;
  const takeFrom = (ids: Iterable<number>, remove: (id: number) => void) => {
    for (const each of [...ids].slice(0, limit - taken)) {
      remove(each);
      taken += 1;
    }
  };
  const [tags, manifests, blobs] = [store.of(containerTags), store.of(containerManifests), store.of(containerBlobs)];
  takeFrom(tags.by[index].find(id), (each) => tx.remove(containerTags, each));
  takeFrom(manifests.by[index].find(id), (each) => {
    const manifest = manifests.get(each);
    if (manifest !== undefined) removeManifestAlone(tx, store, manifest);
  });
  takeFrom(blobs.by[index].find(id), (each) => {
    const blob = blobs.get(each);
    if (blob !== undefined) removeBlob(tx, store, blob);
  });
  return taken;
}
