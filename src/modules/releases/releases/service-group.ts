import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { visibleProjectsIn } from "../../core/access/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { canSeeReleases } from "./policy.ts";
import type { ReleaseSurroundings } from "./present.ts";
import { type ReleaseRecord, releases } from "./records.ts";
import { findCommits } from "./service-list.ts";

/** `GET /groups/:id/releases`: those of the group's own projects that the caller sees. */
export function listGroupReleases(
  context: Context,
  caller: SignedInCaller,
  group: GroupRecord,
  { sort = "desc" }: { readonly sort?: "asc" | "desc" | undefined },
  page: PageRequest,
): Page<ReleaseRecord> {
  const { store } = context;
  const seen = visibleProjectsIn(context, caller, [group.id]).filter(({ id }) => {
    const project = store.of(projects).get(id);
    return project !== undefined && canSeeReleases(context, caller.user, project);
  });
  const where = [{ anyOf: seen.map(({ id }) => ({ index: "project_id", key: id }) as const) }];
  return store.page(releases, { where, order: "released_at", descending: sort === "desc", page });
}

/** Reads the commits of releases of several projects, one repository after the other. */
export async function findCommitsOfAll(
  context: Context,
  caller: Caller,
  found: readonly ReleaseRecord[],
): Promise<(release: ReleaseRecord) => ReleaseSurroundings> {
  const own = Map.groupBy(found, ({ project_id }) => project_id);
  const shown = [...own.keys()].map((id) => context.store.of(projects).get(id) as ProjectRecord);
  const byProject = new Map<number, ReleaseSurroundings>();
  for (const project of shown) {
    const commits = await findCommits(context, caller, project, own.get(project.id) ?? []);
    byProject.set(project.id, { project, commits });
  }
  return ({ project_id }) => byProject.get(project_id) as ReleaseSurroundings;
}
