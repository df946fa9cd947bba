import type { Caller } from "../../../domain/caller.ts";
import { invalid, notFound } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { requestPace } from "../../../domain/work-budget.ts";
import type { Commit, LineCounts, Repository } from "../../../git/index.ts";
import type { DateTime } from "../../../lib/datetime.ts";
import { trimCharacters } from "../../../lib/text/trim.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { defaultBranchOf, readRepository } from "./service-repository-access.ts";

export interface CommitFilter {
  /** The revision from which the walk starts, `a..b` or `a...b`: the default branch unless said. */
  readonly refName?: string | undefined;
  /** Walks from all branches and tags instead. */
  readonly isFromAll?: boolean | undefined;
  /** Restricts the list to commits that changed this path. */
  readonly path?: string | undefined;
  /** By the committer's date, both included. */
  readonly since?: DateTime | undefined;
  readonly until?: DateTime | undefined;
  /** A part of `Name <email>`. */
  readonly author?: string | undefined;
  readonly firstParentOnly?: boolean | undefined;
  readonly isTopological?: boolean | undefined;
  readonly hasStats?: boolean | undefined;
}

export interface FoundCommit {
  readonly commit: Commit;
  /** Left out where they were not asked for. */
  readonly stats?: LineCounts;
}

async function describe(repository: Repository, commit: Commit, hasStats: boolean): Promise<FoundCommit> {
  return hasStats ? { commit, stats: await repository.changesOf(commit) } : { commit };
}

/**
 * `GET /projects/:id/repository/commits`, newest first. A page is found by a walk from the heads, so there is no total. An empty
 * repository and an unknown revision have no commits. Throws 400 for what is no revision, 403, and `OverBudget`.
 */
export function listCommits(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  filter: CommitFilter,
  request: PageRequest,
): Promise<Page<FoundCommit>> {
  const { refName = "", author = "", until, hasStats = false } = filter;
  if (/^-|\s/.test(refName)) throw invalid("ref_name is invalid");
  const untilSecond = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until) / 1000;
  const isWanted = ({ committer, author: { name, email } }: Commit) =>
    committer.timestamp <= untilSecond && `${name} <${email}>`.includes(author);
  return readRepository(context, caller, project, async (repository) => {
    const page = request.kind === "offset" ? request.page : 1;
    const start = (page - 1) * request.perPage;
    const items: FoundCommit[] = [];
    let hasNext = false;
    let at = 0;
    for await (const commit of await historyOf(repository, project, filter)) {
      if (!isWanted(commit)) continue;
      hasNext = items.length === request.perPage;
      if (hasNext) break;
      if (at >= start) items.push(await describe(repository, commit, hasStats));
      at += 1;
    }
    return { items, total: undefined, hasNext, next: undefined };
  });
}

/** The commits that the walk of a list comes by. */
async function historyOf(
  repository: Repository,
  project: ProjectRecord,
  { refName = "", isFromAll = false, path = "", since, firstParentOnly, isTopological = false }: CommitFilter,
): Promise<AsyncIterable<Commit> | Iterable<Commit>> {
  const options = {
    path: trimCharacters(path, "/"),
    firstParentOnly,
    since: since === undefined ? undefined : Date.parse(since) / 1000,
    pace: requestPace(),
  };
  const walk = (from: readonly Commit[], within?: ReadonlySet<string>) =>
    isTopological
      ? repository.topologicalHistory(from, { ...options, within })
      : repository.history(from, { ...options, within });
  if (isFromAll) return walk(await headsOf(repository));
  const at = async (name: string) => {
    const revision = name || (await defaultBranchOf(repository, project));
    return revision === undefined ? undefined : repository.resolve(revision);
  };
  const dots = refName.indexOf("..");
  const isSymmetric = refName.startsWith("...", dots);
  const right = await at(dots === -1 ? refName : refName.slice(dots + (isSymmetric ? 3 : 2)));
  if (right === undefined) return [];
  if (dots === -1) return walk([right]);
  const left = await at(refName.slice(0, dots));
  if (left === undefined) return [];
  const within = await repository.range({ left, right, isSymmetric });
  return walk(isSymmetric ? [left, right] : [right], within);
}

/** The commits that branches and tags are at; a tag may be of something else. */
async function headsOf(repository: Repository): Promise<Commit[]> {
  const heads: Commit[] = [];
  const seen = new Set<string>();
  const refs = await repository.refs();
  for (const [, oid] of await refs.filter((_, each) => seen.size < seen.add(each).size)) {
    const commit = await repository.commitOf(oid);
    if (commit !== undefined) heads.push(commit);
  }
  return heads;
}

/** Throws 403; 404 `Commit Not Found`. */
export function getCommit(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  revision: string,
  { hasStats }: { readonly hasStats: boolean },
): Promise<FoundCommit> {
  return readRepository(context, caller, project, async (repository) => {
    const commit = await repository.resolve(revision);
    if (commit === undefined) throw notFound("Commit");
    return describe(repository, commit, hasStats);
  });
}
