import type { Caller } from "../../../domain/caller.ts";
import { notFound } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Commit } from "../../../git/index.ts";
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
}

/**
 * `GET /projects/:id/repository/commits`, newest first. A page is found by a walk from the head, so there is no total.
 * Throws 403, and 404 for an unknown revision; an empty repository has no commits.
 */
export function listCommits(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  { refName, path = "" }: CommitFilter,
  request: PageRequest,
): Promise<Page<Commit>> {
  return readRepository(context, caller, project, async (repository) => {
    const head = await commitAt(repository, project, refName);
    const page = request.kind === "offset" ? request.page : 1;
    const start = (page - 1) * request.perPage;
    const items: Commit[] = [];
    let hasNext = false;
    let at = 0;
    for await (const commit of repository.history(head === undefined ? [] : [head], trimCharacters(path, "/"))) {
      hasNext = items.length === request.perPage;
      if (hasNext) break;
      if (at >= start) items.push(commit);
      at += 1;
    }
    return { items, total: undefined, hasNext, next: undefined };
  });
}

/** Throws 403; 404 `Commit Not Found`. */
export function getCommit(context: Context, caller: Caller, project: ProjectRecord, revision: string): Promise<Commit> {
  return readRepository(context, caller, project, async (repository) => {
    const commit = await repository.resolve(revision);
    if (commit === undefined) throw notFound("Commit");
    return commit;
  });
}
