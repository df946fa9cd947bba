/** The commits that the branches of a merge request are at, and the rules about these branches. */

import type { Caller } from "../../../../domain/caller.ts";
import { Failure, invalid } from "../../../../domain/failure.ts";
import { branchPrefix, type Commit, mergeBase, type Repository, type RepositoryWriter } from "../../../../git/index.ts";
import type { Store, Transaction } from "../../../../store/index.ts";
import { getProject } from "../../../core/access/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { diffBetween, placeOf, readerOf, switchRef } from "../../../repositories/repositories/index.ts";
import type { MergeRequestVersionRecord } from "../records-versions.ts";
import { type Branches, findOpenTwin } from "../service-find.ts";

/** The commits and the size of a version that is about to be made. */
export type NewVersion = Pick<MergeRequestVersionRecord, "base_sha" | "start_sha" | "head_sha" | "size">;

/**
 * Holds the repository of a project for a change of its merge requests, once it is the caller's turn. `work` gets the project as
 * it is then, and checks the caller's rights. Throws 400 while the repository is read-only.
 */
export function holdRepository<R>(
  context: Context,
  caller: Caller,
  { id }: ProjectRecord,
  work: (writer: RepositoryWriter, project: ProjectRecord) => Promise<R>,
): Promise<R> {
  const now = () => getProject(context, caller, id);
  return context.repositories.write(
    { kind: "project", id },
    () => placeOf(now()),
    (writer) => work(writer, now()),
  );
}

/** Throws 422 for one branch as source and target, and for a target that is no fork (merge-requests 4, rows 4 and 5). */
export function requireMergeablePair(branches: Branches): void {
  if (branches.source_project_id !== branches.project_id) {
    throw new Failure("unprocessable", { message: ["Source project is not a fork of the target project"] });
  }
  if (branches.source_branch === branches.target_branch) {
    throw new Failure("unprocessable", {
      message: ["You can't use same project/branch for source and target"],
    });
  }
}

/** Throws 409 where another merge request of these branches is open (row 7). */
export function requireNoOpenTwin(store: Store, branches: Branches, itself?: number): void {
  const twin = findOpenTwin(store, branches, itself);
  if (twin === undefined) return;
  const message = `Another open merge request already exists for this source branch: !${twin.iid}`;
  throw new Failure("conflict", { message: [message] });
}

/** The commits of both branches. Throws 400 for one that is not there (row 6). */
export async function headsOf(
  repository: Repository,
  { source_branch, target_branch }: Pick<Branches, "source_branch" | "target_branch">,
): Promise<{ readonly source: Commit; readonly target: Commit }> {
  const at = async (branch: string) => repository.resolve(`${branchPrefix}${branch}`);
  const [source, target] = [await at(source_branch), await at(target_branch)];
  if (source !== undefined && target !== undefined) return { source, target };
  throw invalid({
    ...(source === undefined ? { source_branch: ["does not exist"] } : {}),
    ...(target === undefined ? { target_branch: ["does not exist"] } : {}),
  });
}

/** The version that the commits of the branches make (merge-requests 5). Throws `OverBudget`. */
export async function versionOf(
  context: Context,
  caller: Caller,
  repository: Repository,
  { source, target }: { readonly source: Commit; readonly target: Commit },
  gone: AbortSignal,
): Promise<NewVersion> {
  const base = (await mergeBase(repository, source, target, Number.POSITIVE_INFINITY)) ?? target;
  const commits = { base_sha: base.oid, start_sha: target.oid, head_sha: source.oid };
  if (base.oid === source.oid) return commits;
  const ends = { before: base.oid, after: source.oid };
  const asker = { reader: readerOf(caller), gone };
  const { files, isCut } = await diffBetween(context, repository, ends, "usual", asker);
  return { ...commits, size: `${files.length}${isCut ? "+" : ""}` };
}

/** Makes the ref of a merge request keep the commits of a version, and records that in one transaction. */
export function keepVersion<R>(
  context: Context,
  writer: RepositoryWriter,
  { id, iid, head_sha }: { readonly id: number; readonly iid: number; readonly head_sha: string },
  record: (tx: Transaction) => R,
): Promise<R> {
  return switchRef(context, writer, {
    owner: `project ${id}`,
    ref: headRef(iid),
    oid: head_sha,
    prepare: async () => undefined,
    record,
  });
}

/** The ref that keeps the commits of a merge request (merge-requests 5). */
export function headRef(iid: number): string {
  return `refs/merge-requests/${iid}/head`;
}
