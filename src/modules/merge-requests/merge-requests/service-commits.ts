import type { Caller } from "../../../domain/caller.ts";
import { notFound } from "../../../domain/failure.ts";
import { branchPrefix, type Commit, type FileDiff, type Repository, type TreeDiff } from "../../../git/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type DiffExtent, diffBetween, placeOf, readerOf } from "../../repositories/repositories/index.ts";
import type { MergeRequestRecord } from "./records.ts";
import { type MergeRequestVersionRecord, mergeRequestVersions } from "./records-versions.ts";

/** Commits of a version that are listed: the newest ones. */
const commitsMax = 5_000;

/** Reads the repository in turn. The caller may read the merge request, and so the code. */
function readInTurn<R>(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  work: (repository: Repository) => Promise<R>,
): Promise<R> {
  return context.repositories.readInTurn(placeOf(project), readerOf(caller), work);
}

/** The commits of a version that its base does not have, newest first. Throws `OverBudget`. */
export function listVersionCommits(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  version: Pick<MergeRequestVersionRecord, "start_sha" | "head_sha">,
): Promise<Commit[]> {
  return readInTurn(context, caller, project, (repository) =>
    commitsOf(repository, version.start_sha, version.head_sha),
  );
}

/** The newest commits that `to` leads to and `from` does not. */
export async function commitsOf(repository: Repository, from: string, to: string): Promise<Commit[]> {
  const [left, right] = [await repository.commitOf(from), await repository.commitOf(to)];
  if (right === undefined) return [];
  const within = left === undefined ? undefined : await repository.range({ left, right, isSymmetric: false });
  const commits: Commit[] = [];
  for await (const commit of repository.history([right], { within })) {
    if (commits.push(commit) === commitsMax) break;
  }
  return commits;
}

/** The files that a version changes. Throws `OverBudget`. */
export function getVersionDiff(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  { base_sha, head_sha }: Pick<MergeRequestVersionRecord, "base_sha" | "head_sha">,
  extent: DiffExtent,
  gone: AbortSignal,
): Promise<TreeDiff> {
  if (base_sha === head_sha) return Promise.resolve({ files: [] satisfies FileDiff[], isCut: false });
  return readInTurn(context, caller, project, (repository) =>
    diffBetween(context, repository, { before: base_sha, after: head_sha }, extent, {
      reader: readerOf(caller),
      gone,
    }),
  );
}

/** Newest first. */
export function listVersions({ store }: Context, { id }: MergeRequestRecord): MergeRequestVersionRecord[] {
  const documents = store.of(mergeRequestVersions);
  return [...documents.by.merge_request_id.find(id)]
    .sort((one, other) => other - one)
    .map((each) => documents.get(each))
    .filter((version) => version !== undefined);
}

/** Throws 404 for an unknown version, and for one of another merge request. */
export function getOneVersion({ store }: Context, { id }: MergeRequestRecord, versionId: number) {
  const version = store.of(mergeRequestVersions).get(versionId);
  if (version === undefined || version.merge_request_id !== id) throw notFound();
  return version;
}

/** The number of commits of the target branch that the source branch lacks; 0 when the target branch is gone. */
export function countDivergedCommits(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  { target_branch, head_sha }: MergeRequestRecord,
): Promise<number> {
  return readInTurn(context, caller, project, async (repository) => {
    const target = await repository.resolve(`${branchPrefix}${target_branch}`);
    const source = await repository.commitOf(head_sha);
    if (target === undefined || source === undefined) return 0;
    return (await repository.range({ left: source, right: target, isSymmetric: false })).size;
  });
}
