import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Condition } from "../../../store/index.ts";
import { Access } from "../../core/access/index.ts";
import { selfAndAncestors } from "../../core/namespaces/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import { type ProjectRecord, projectSettingsOf } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type RunnerRecord, runnerManagers, runners } from "./records.ts";
import type { RunnerFilters } from "./schema.ts";
import { whereStatus } from "./status.ts";

type Where = Condition<typeof runners.indexes>;
type Filters = Static<typeof RunnerFilters>;

/** `GET /runners/all`, newest first. */
export function listAllRunners(context: Context, filters: Filters, page: PageRequest): Page<RunnerRecord> {
  return list(context, [], filters, page);
}

/** `GET /runners`: those of the groups that the caller owns and of the projects that the caller maintains. */
export function listOwnRunners(
  context: Context,
  { user }: SignedInCaller,
  filters: Filters,
  page: PageRequest,
): Page<RunnerRecord> {
  const { store } = context;
  const access = context.get(Access);
  const { by } = store.of(runners);
  const ids = new Set<number>();
  for (const id of access.groupsWith(user.id, accessLevels.owner))
    for (const each of by.group_id.find(id)) ids.add(each);
  for (const id of access.projectsWith(user.id, accessLevels.maintainer)) {
    for (const each of by.project_id.find(id)) ids.add(each);
  }
  return list(context, [{ ids: [...ids].sort((a, b) => a - b) }], filters, page);
}

/** `GET /projects/:id/runners`: whatever may take the jobs of a project. */
export function listProjectRunners(
  context: Context,
  project: ProjectRecord,
  filters: Filters,
  page: PageRequest,
): Page<RunnerRecord> {
  const { shared_runners_enabled, group_runners_enabled } = projectSettingsOf(project);
  const groups = group_runners_enabled ? selfAndAncestors(context.store, project.namespace_id) : [];
  const anyOf: Where[] = [
    { index: "project_id", key: project.id },
    ...groups.map(({ id }) => ({ index: "group_id", key: id }) as const),
    ...(shared_runners_enabled ? [{ index: "type", key: "instance_type" } as const] : []),
  ];
  return list(context, [{ anyOf }], filters, page);
}

/** `GET /groups/:id/runners`: those of a group and of the groups above it, and of the instance. */
export function listGroupRunners(
  context: Context,
  group: GroupRecord,
  filters: Filters,
  page: PageRequest,
): Page<RunnerRecord> {
  const anyOf: Where[] = [
    ...selfAndAncestors(context.store, group.id).map(({ id }) => ({ index: "group_id", key: id }) as const),
    { index: "type", key: "instance_type" },
  ];
  return list(context, [{ anyOf }], filters, page);
}

function list(
  context: Context,
  within: readonly Where[],
  { scope, type, status, paused, tag_list = [], version_prefix }: Filters,
  page: PageRequest,
): Page<RunnerRecord> {
  const { store } = context;
  const where: Where[] = [
    ...within,
    ...[scope, type, status].flatMap((word) => (word === undefined ? [] : whereWord(context, word))),
    ...(paused === undefined ? [] : [{ index: "paused", key: paused } as const]),
    ...(version_prefix === undefined ? [] : [{ ids: idsOfVersions(context, version_prefix) }]),
    ...tag_list.map((tag) => ({ index: "tag", key: tag }) as const),
  ];
  return store.page(runners, { where, order: "id", descending: true, page });
}

function whereWord({ clock }: Context, word: NonNullable<Filters["scope"]>): Where[] {
  switch (word) {
    case "active":
    case "paused":
      return [{ index: "paused", key: word === "paused" }];
    case "shared":
    case "instance_type":
      return [{ index: "type", key: "instance_type" }];
    case "specific":
      return [{ not: { index: "type", key: "instance_type" } }];
    case "group_type":
    case "project_type":
      return [{ index: "type", key: word }];
    default:
      return whereStatus(word, clock);
  }
}

/** Returns the ids of runners with a machine whose version has the prefix. */
function idsOfVersions({ store }: Context, prefix: string): number[] {
  const machines = store.of(runnerManagers);
  const ids = new Set<number>();
  for (const id of machines.by.version.between(prefix, `${prefix}\uffff`)) ids.add(machines.get(id)?.runner_id ?? 0);
  return [...ids].sort((a, b) => a - b);
}
