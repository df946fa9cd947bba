import type { SignedInCaller } from "../../../../domain/caller.ts";
import { branchPrefix, type Commit, type Repository, reachable } from "../../../../git/index.ts";
import { Access } from "../../../core/access/index.ts";
import { enqueueJob, type JobKind, jobKind, type LongWork } from "../../../core/background-jobs/index.ts";
import { findUser } from "../../../core/users/index.ts";
import { type ProjectRecord, projects } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { isProtectedBranch, protectedBranchTest } from "../../protected-branches/index.ts";
import { deleteRef } from "../service-pushes.ts";
import {
  canWriteRepository,
  defaultBranchOf,
  placeOf,
  requireRepositoryWriter,
  writeRepository,
} from "../service-repository-access.ts";
import { requireRepository } from "./service-branches.ts";

interface Payload {
  readonly project_id: number;
  readonly user_id: number;
}

/** Commits of the default branch that the search reads. A branch that was merged before them stays. */
const commitsMax = 200_000;

/** `DELETE /projects/:id/repository/merged_branches`: a background job does it, as the caller. Throws 403 and 404. */
export function deleteMergedBranches(context: Context, caller: SignedInCaller, project: ProjectRecord): void {
  requireRepository(context, caller, project);
  requireRepositoryWriter(context, caller, project);
  const payload: Payload = { project_id: project.id, user_id: caller.user.id };
  context.store.transact((tx) =>
    enqueueJob(tx, context, { kind: mergedBranchesDeletion.kind, payload, user_id: caller.user.id }),
  );
}

/** Deletes branches that the default branch contains. An attempt begins anew: what is deleted already is not found. */
export const mergedBranchesDeletion: JobKind = jobKind<Payload>({
  kind: "merged_branches_deletion",
  takesTurns: true,
  async run({ context, payload, pace }) {
    const merged = await listMerged(context, payload, pace);
    for (const branch of merged) {
      await pace();
      const found = findWriter(context, payload);
      if (found === undefined) return;
      await deleteMerged(context, found, branch);
    }
  },
});

interface Writer {
  readonly caller: SignedInCaller;
  readonly project: ProjectRecord;
}

/** undefined once the user may not delete branches any more, or the project is gone. */
function findWriter(context: Context, { project_id, user_id }: Payload): Writer | undefined {
  const { store } = context;
  const [project, user] = [store.of(projects).get(project_id), findUser(store, user_id)];
  if (project === undefined || user?.state !== "active") return undefined;
  const caller = { user, token: undefined, ipAddress: null };
  const isSeen = context.get(Access).canSeeProject(user, project);
  return isSeen && canWriteRepository(context, caller, project) ? { caller, project } : undefined;
}

/** A branch with the commit that it is at. */
type Branch = readonly [name: string, oid: string];

async function listMerged(context: Context, payload: Payload, pace: LongWork["pace"]): Promise<Branch[]> {
  const { project } = findWriter(context, payload) ?? {};
  if (project === undefined) return [];
  return context.repositories.read(placeOf(project), async (repository) => {
    const isProtected = protectedBranchTest(context, project);
    const branches: Branch[] = [];
    for (const branch of await repository.branches()) {
      if (!isProtected(branch[0])) branches.push(branch);
      await pace();
    }
    const main = await defaultBranchOf(repository, project);
    const mainOid = main === undefined ? undefined : await repository.branch(main);
    const head = mainOid === undefined ? undefined : await repository.commitOf(mainOid);
    if (head === undefined) return [];
    // A branch at the head itself may be a new one, from where work goes on.
    const others = branches.filter(([, oid]) => oid !== head.oid);
    const merged = await reachable(repository, head, await commitsOf(repository, others, pace), { pace, commitsMax });
    return others.filter(([name, oid]) => name !== main && merged.has(oid));
  });
}

async function commitsOf(
  repository: Repository,
  branches: readonly Branch[],
  pace: LongWork["pace"],
): Promise<Commit[]> {
  const commits: Commit[] = [];
  for (const [, oid] of branches) {
    await pace();
    const commit = await repository.commitOf(oid);
    if (commit !== undefined) commits.push(commit);
  }
  return commits;
}

/** Deletes a branch unless it has moved, or must be kept by now. */
function deleteMerged(context: Context, { caller, project }: Writer, [name, oid]: Branch): Promise<void> {
  return writeRepository(context, caller, project, async (writer, now) => {
    const isKept = isProtectedBranch(context, now, name) || name === (await defaultBranchOf(writer, now));
    if (isKept || (await writer.branch(name)) !== oid) return;
    await deleteRef(context, caller, writer, now, { ref: `${branchPrefix}${name}`, before: oid });
  });
}
