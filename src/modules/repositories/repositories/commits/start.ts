/** The commit that a new one is made on (commits 4). */

import { Failure, invalid } from "../../../../domain/failure.ts";
import { type Commit, isOid, type RefList, type RepositoryWriter, reachable } from "../../../../git/index.ts";
import { requireRefName } from "../refs/names.ts";

/** The branch of a new commit, and what it is made on. */
export interface BranchStart {
  readonly branch: string;
  /** The branch from which a new branch starts; blank or left out: `branch` itself. */
  readonly startBranch?: string | undefined;
  /** The id of a commit that takes its place. */
  readonly startSha?: string | undefined;
  /** A branch that is there already is replaced. */
  readonly isForced?: boolean | undefined;
}

export interface FoundStart {
  /** The commit of the branch; undefined for a new one. */
  readonly before: Commit | undefined;
  /** The parent of the new commit; the first commit of all has none. */
  readonly base: Commit | undefined;
  /** There is no branch yet. */
  readonly isFirst: boolean;
  /** The branch loses commits. */
  readonly loses: boolean;
}

/** Throws 400. */
export async function findStart(writer: RepositoryWriter, start: BranchStart): Promise<FoundStart> {
  const { branch, startBranch, startSha, isForced = false } = start;
  const isElsewhere = startSha !== undefined || (Boolean(startBranch) && startBranch !== branch);
  const branches = await writer.branches();
  const base = await baseOf(writer, branches, start);
  const oid = branches.get(branch);
  const before = oid === undefined ? undefined : await writer.commitOf(oid);
  if (before === undefined) requireNewBranchName(branch, branches, isElsewhere);
  else if (isElsewhere && !isForced) {
    throw invalid(`A branch called '${branch}' already exists. Switch to that branch in order to make changes`);
  }
  const isFirst = branches.size === 0;
  if (base === undefined && !isFirst) throw invalid("You can only create or edit files when you are on a branch");
  const loses =
    before !== undefined && base !== undefined && !(await reachable(writer, base, [before])).has(before.oid);
  return { before, base, isFirst, loses };
}

async function baseOf(
  writer: RepositoryWriter,
  branches: RefList,
  { branch, startBranch, startSha }: BranchStart,
): Promise<Commit | undefined> {
  if (startSha === undefined) {
    const oid = branches.get(startBranch || branch);
    return oid === undefined ? undefined : writer.commitOf(oid);
  }
  if (!isOid(startSha)) throw invalid(`Invalid start_sha '${startSha}'`);
  const commit = await writer.commitOf(startSha);
  if (commit === undefined) throw invalid(`Cannot find start_sha '${startSha}'`);
  return commit;
}

/** A name that is not to start elsewhere is refused as it is. */
function requireNewBranchName(branch: string, branches: RefList, isElsewhere: boolean): void {
  try {
    requireRefName(branch, branches, "Branch");
  } catch (error) {
    if (!isElsewhere || !(error instanceof Failure)) throw error;
    throw invalid(`Something went wrong when we tried to create '${branch}' for you: ${error.message}`);
  }
}
