import type { SignedInCaller } from "../../../../domain/caller.ts";
import { Failure, invalid } from "../../../../domain/failure.ts";
import {
  type Commit,
  changeTree,
  isFilePath,
  newPathProblem,
  type RepositoryWriter,
  type TreeEntry,
} from "../../../../git/index.ts";
import { commitEmail, getUser } from "../../../core/users/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { branchRightsIn, branchRulesInForce } from "../../protected-branches/index.ts";
import { requireRefName } from "../refs/names.ts";
import { pushCommit } from "../service-pushes.ts";
import { writeRepository } from "../service-repository-access.ts";

/** One file changed by one commit. */
export interface FileChange {
  readonly action: "create" | "update" | "delete";
  readonly path: string;
  readonly branch: string;
  readonly message: string;
  /** The branch, tag or commit from which a new branch starts. */
  readonly startBranch?: string | undefined;
  readonly author: { readonly name: string | undefined; readonly email: string | undefined };
  readonly content?: Uint8Array | undefined;
  /** undefined: as it is. */
  readonly isExecutable?: boolean | undefined;
  /** Changes nothing in a repository that has a commit already. */
  readonly isOnlyFirst?: true;
  /** Belongs to the creation of the project, whoever may push to it. */
  readonly isByServer?: true;
  /** The commit that the caller knows as the last one which changed the file. */
  readonly lastCommitId?: string | undefined;
}

/** Commits a change of one file (triggers-and-pipelines 7). Throws 400 with the page's texts, 403. */
export async function commitFile(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  change: FileChange,
  baseUrl: string,
): Promise<void> {
  // A file that is there already may be changed and deleted, however deep it is.
  const problem = change.action === "create" || !isFilePath(change.path) ? newPathProblem(change.path) : undefined;
  if (problem !== undefined) throw new Failure("parameters", { error: `file_path ${problem}` });
  await writeRepository(context, caller, project, async (writer, now) => {
    const isEmpty = (await writer.branches()).size === 0;
    if (change.isOnlyFirst && !isEmpty) return;
    const rules = branchRulesInForce(context, now, { isEmpty });
    if (!change.isByServer && !branchRightsIn(context, caller.user, now, rules)(change.branch).canPush) {
      throw invalid("You are not allowed to push into this branch");
    }
    const { before, base, isFirst } = await headFor(writer, change);
    const known = await entryFor(writer, base, change);
    await requireCurrent(writer, base, change);
    const entry =
      change.content === undefined
        ? undefined
        : { oid: await writer.writeBlob(change.content), mode: modeOf(known, change.isExecutable) };
    const tree = (await changeTree(writer, base?.tree, change.path, entry)) ?? (await writer.writeTree([]));
    const { author, committer } = signaturesOf(context, caller, change, baseUrl);
    const parents = base === undefined ? [] : [base.oid];
    const { branch, message } = change;
    const oid = await writer.writeCommit({ message, tree, parents, author, committer });
    await pushCommit(
      context,
      caller,
      writer,
      now,
      { branch, before: before?.oid, oid, tree, message, isFirst },
      baseUrl,
    );
  });
}

/** The signature of a change: the caller's at the current time, unless an author is named. */
export function signaturesOf(
  { store, clock }: Context,
  { user }: SignedInCaller,
  { author }: Pick<FileChange, "author">,
  baseUrl: string,
) {
  const timestamp = Math.floor(clock.now() / 1000);
  const committer = { name: user.name, email: commitEmail(getUser(store, user.id), baseUrl), timestamp };
  return {
    committer,
    author: { name: author.name || committer.name, email: author.email || committer.email, timestamp },
  };
}

/** The commit of the branch, and the parent of the new commit; the first commit of all has none. */
async function headFor(
  writer: RepositoryWriter,
  { branch, startBranch }: FileChange,
): Promise<{ before: Commit | undefined; base: Commit | undefined; isFirst: boolean }> {
  const oid = await writer.branch(branch);
  const before = oid === undefined ? undefined : await writer.commitOf(oid);
  const isOtherStart = startBranch !== undefined && startBranch !== "" && startBranch !== branch;
  if (before !== undefined) {
    if (!isOtherStart) return { before, base: before, isFirst: false };
    throw invalid(`A branch called '${branch}' already exists. Switch to that branch in order to make changes`);
  }
  const branches = await writer.branches();
  requireRefName(branch, branches, "Branch");
  if (branches.size === 0) return { before: undefined, base: undefined, isFirst: true };
  const start = isOtherStart ? branches.get(startBranch) : undefined;
  const base = start === undefined ? undefined : await writer.commitOf(start);
  if (base === undefined) throw invalid("You can only create or edit files when you are on a branch");
  return { before: undefined, base, isFirst: false };
}

/** The entry at the path now. Throws 400 if the action does not fit it. */
async function entryFor(
  writer: RepositoryWriter,
  base: Commit | undefined,
  { action, path }: FileChange,
): Promise<TreeEntry | undefined> {
  const known = base === undefined ? undefined : await writer.entryAt(base.tree, path);
  if (action !== "create") {
    if (known?.type !== "blob") throw invalid("A file with this name doesn't exist");
    return known;
  }
  if (known?.type === "tree") throw invalid("A directory with this name already exists");
  if (known !== undefined) throw invalid("A file with this name already exists");
  for (let end = path.indexOf("/"); base !== undefined && end !== -1; end = path.indexOf("/", end + 1)) {
    const above = await writer.entryAt(base.tree, path.slice(0, end));
    if (above === undefined) break;
    if (above.type !== "tree") throw invalid("A file with this name already exists");
  }
  return undefined;
}

async function requireCurrent(writer: RepositoryWriter, base: Commit | undefined, change: FileChange): Promise<void> {
  if (base === undefined || !change.lastCommitId) return;
  const last = await writer.lastCommitOf(base, change.path);
  if (last.oid === change.lastCommitId) return;
  throw invalid(
    change.action === "delete"
      ? "You are attempting to delete a file that has been previously updated."
      : "You are attempting to update a file that has changed since you started editing it.",
  );
}

function modeOf(known: TreeEntry | undefined, isExecutable: boolean | undefined): string {
  if (isExecutable === undefined) return known?.mode ?? "100644";
  return isExecutable ? "100755" : "100644";
}
