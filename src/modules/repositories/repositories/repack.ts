/** The background job that joins the packs of a repository: each push adds one, and each commit through the API some objects. */

import type { Repository } from "../../../git/index.ts";
import type { Transaction } from "../../../store/index.ts";
import { enqueueJob, type JobKind, jobKind } from "../../core/background-jobs/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { placeOf } from "./service-repository-access.ts";

interface Payload {
  readonly project_id: number;
}

export const repositoryRepack: JobKind = jobKind<Payload>({
  kind: "repository_repack",
  async run({ context, payload: { project_id }, signal }) {
    const ref = { kind: "project", id: project_id } as const;
    const project = () => context.store.of(projects).get(project_id);
    const now = project();
    // Once a move has ended, the next push asks again.
    if (now === undefined || context.repositories.isReadOnly(ref)) return;
    const isDue = await context.repositories.read(placeOf(now), async (repository) => repository.isRepackDue());
    if (isDue) await context.repositories.transfers.repack(ref, () => placeOf(project() ?? now), signal);
  },
});

/** Asks for the job where the repository has too many packs to take another one. Returns whether it has. */
export async function requestRoomForPack(context: Context, project: ProjectRecord): Promise<boolean> {
  return context.repositories.read(placeOf(project), async (repository) => {
    if (!repository.isCrowded()) return false;
    context.store.transact((tx) => enqueueRepack(tx, context, repository, project.id));
    return true;
  });
}

/** Asks for the job, in the transaction of a change, where it pays. */
export function enqueueRepack(tx: Transaction, context: Context, repository: Repository, projectId: number): void {
  if (!repository.isRepackDue()) return;
  enqueueJob(tx, context, { kind: repositoryRepack.kind, payload: { project_id: projectId } satisfies Payload });
}
