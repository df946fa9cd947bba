import type { Caller } from "../../../../domain/caller.ts";
import { notFound } from "../../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../../domain/page.ts";
import { requestPace } from "../../../../domain/work-budget.ts";
import { type Commit, HistoriesWith, type Repository } from "../../../../git/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { readRepository } from "../service-repository-access.ts";

/** A branch or tag. */
export interface FoundRef {
  readonly type: "branch" | "tag";
  readonly name: string;
}

/** Throws 404 `Commit Not Found`. */
export async function resolveCommit(repository: Repository, revision: string): Promise<Commit> {
  const commit = await repository.resolve(revision);
  if (commit === undefined) throw notFound("Commit");
  return commit;
}

/**
 * `GET .../commits/:sha/refs`: the branches, then the tags, whose histories have a commit. The search ends with the page, so there is
 * no total. Throws 403, 404, and `OverBudget`.
 */
export function listRefsWith(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  { sha, type }: { readonly sha: string; readonly type: FoundRef["type"] | "all" },
  request: PageRequest,
): Promise<Page<FoundRef>> {
  return readRepository(context, caller, project, async (repository) => {
    const histories = new HistoriesWith(repository, await resolveCommit(repository, sha));
    const page = request.kind === "offset" ? request.page : 1;
    const start = (page - 1) * request.perPage;
    const end = start + request.perPage;
    const found: FoundRef[] = [];
    const types = (["branch", "tag"] as const).filter((each) => type === "all" || type === each);
    for (const each of types) {
      const refs = each === "branch" ? await repository.branches() : await repository.tags();
      for (const [name, oid] of refs) {
        if (found.length > end) break;
        const head = await repository.commitOf(oid);
        if (head !== undefined && (await histories.includes(head))) found.push({ type: each, name });
      }
    }
    return { items: found.slice(start, end), total: undefined, hasNext: found.length > end, next: undefined };
  });
}

/** `GET .../commits/:sha/sequence`: how many commits a history has. Throws 403, 404, and `OverBudget`. */
export function countHistory(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  { sha, firstParentOnly }: { readonly sha: string; readonly firstParentOnly: boolean },
): Promise<number> {
  return readRepository(context, caller, project, async (repository) => {
    const options = { firstParentOnly, pace: requestPace() };
    let count = 0;
    for await (const _ of repository.history([await resolveCommit(repository, sha)], options)) count += 1;
    return count;
  });
}

/** Throws 403; 404 `Commit Not Found`, and `Signature Not Found` for one that is not signed. */
export function getSignedCommit(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  sha: string,
): Promise<Commit> {
  return readRepository(context, caller, project, async (repository) => {
    const commit = await resolveCommit(repository, sha);
    if (commit.gpgsig === undefined) throw notFound("Signature");
    return commit;
  });
}
