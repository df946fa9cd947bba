import type { Caller } from "../../../domain/caller.ts";
import { notFound } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Commit, LineCounts, Repository } from "../../../git/index.ts";
import { trimCharacters } from "../../../lib/text/trim.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { commitAt } from "./files/service-read.ts";
import { readRepository } from "./service-repository-access.ts";

export interface CommitFilter {
  /** The revision from which the walk starts: the default branch unless said. */
  readonly refName?: string | undefined;
  /** Restricts the list to commits that changed this path. */
  readonly path?: string | undefined;
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
 * `GET /projects/:id/repository/commits`, newest first. A page is found by a walk from the head, so there is no total.
 * Throws 403, and 404 for an unknown revision; an empty repository has no commits.
 */
export function listCommits(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  { refName, path = "", hasStats = false }: CommitFilter,
  request: PageRequest,
): Promise<Page<FoundCommit>> {
  return readRepository(context, caller, project, async (repository) => {
    const head = await commitAt(repository, project, refName);
    const page = request.kind === "offset" ? request.page : 1;
    const start = (page - 1) * request.perPage;
    const items: FoundCommit[] = [];
    let hasNext = false;
    let at = 0;
    for await (const commit of repository.history(head === undefined ? [] : [head], trimCharacters(path, "/"))) {
      hasNext = items.length === request.perPage;
      if (hasNext) break;
      if (at >= start) items.push(await describe(repository, commit, hasStats));
      at += 1;
    }
    return { items, total: undefined, hasNext, next: undefined };
  });
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
