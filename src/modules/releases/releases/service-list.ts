import type { Caller } from "../../../domain/caller.ts";
import { notFound } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Commit } from "../../../git/index.ts";
import type { Condition } from "../../../store/index.ts";
import { canReadCode } from "../../core/access/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { readRepository } from "../../repositories/repositories/index.ts";
import { type ReleaseRecord, releases } from "./records.ts";
import type { ListReleases } from "./schema.ts";

/** `GET /projects/:id/releases`. */
export function listReleases(
  context: Context,
  project: ProjectRecord,
  { order_by: order = "released_at", sort = "desc", updated_after, updated_before }: ListReleases,
  page: PageRequest,
): Page<ReleaseRecord> {
  const where: Condition<typeof releases.indexes>[] = [{ index: "project_id", key: project.id }];
  if (updated_after !== undefined || updated_before !== undefined) {
    where.push({ index: "updated_at", from: updated_after, to: updated_before });
  }
  return context.store.page(releases, { where, order, descending: sort === "desc", page });
}

/** The release with the latest date. Throws 404. */
export function getLatestRelease(context: Context, project: ProjectRecord): ReleaseRecord {
  const { items } = listReleases(context, project, {}, { kind: "offset", page: 1, perPage: 1 });
  const [latest] = items;
  if (latest === undefined) throw notFound();
  return latest;
}

/** The commits of releases of one project by their ids; none for a caller who does not read the code. */
export function findCommits(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  found: readonly ReleaseRecord[],
): Promise<ReadonlyMap<string, Commit>> {
  const commits = new Map<string, Commit>();
  if (found.length === 0 || !canReadCode(context, caller.user, project)) return Promise.resolve(commits);
  return readRepository(context, caller, project, async (repository) => {
    for (const sha of new Set(found.map((each) => each.sha))) {
      const commit = await repository.commitOf(sha);
      if (commit !== undefined) commits.set(sha, commit);
    }
    return commits;
  });
}
