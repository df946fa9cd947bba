/** The removal of repositories with their project, group or snippet. */

import type { RepositoryPlace } from "../../../git/index.ts";
import { enqueueJob, type JobKind, jobKind } from "../../core/background-jobs/index.ts";
import { projectRemoval } from "../../core/namespaces/index.ts";
import { removeFirst } from "../../kernel/removal.ts";
import { storageMoves } from "../storage-moves/records.ts";
import { placeOf } from "./service-repository-access.ts";

/** Removes the files of a repository whose project is deleted; `payload` has their place. */
export const repositoryDeletion: JobKind = jobKind<RepositoryPlace>({
  kind: "repository_deletion",
  run: ({ context, payload }) => context.repositories.remove(payload),
});

/** Stands last among the removals, so that the job is enqueued once, in the transaction that removes the project's record. */
export const repositoryRemoval = projectRemoval({
  phase: 9,
  remove(tx, context, project, limit) {
    const taken = removeFirst(
      tx,
      storageMoves.project,
      context.store.of(storageMoves.project).by.container.find(project.id),
      limit,
    );
    if (taken < limit) enqueueJob(tx, context, { kind: repositoryDeletion.kind, payload: placeOf(project) });
    return taken;
  },
});
