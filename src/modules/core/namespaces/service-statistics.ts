import { spend } from "../../../domain/work-budget.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import { type ProjectRecord, type ProjectStatistics, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { serviceKey } from "../../kernel/service.ts";
import { Quotas } from "../../kernel/storage-quotas.ts";

/** The sizes of a project's parts; `storage_size` is their sum. */
type Sizes = Partial<Omit<ProjectStatistics, "commit_count" | "storage_size">>;

/** Adds to the sizes of a project, in bytes. Throws 507 when it may not grow by that much. */
export function addToStatistics(tx: Transaction, context: Context, projectId: number, sizes: Sizes): void {
  const growth = Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0);
  if (growth > 0) context.get(Quotas).requireRoom(`project ${projectId}`, growth);
  growStatistics(tx, context.store, projectId, sizes);
}

/** Adds to the sizes of a project, in bytes, for which there was room. */
export function growStatistics(tx: Transaction, store: Store, projectId: number, sizes: Sizes): void {
  addSizes(tx, store, projectId, sizes, 1);
}

/** Takes from the sizes of a project, in bytes. */
export function subtractFromStatistics(tx: Transaction, store: Store, projectId: number, sizes: Sizes): void {
  addSizes(tx, store, projectId, sizes, -1);
}

/** No error if the project itself is deleted. */
function addSizes(tx: Transaction, store: Store, projectId: number, sizes: Sizes, sign: 1 | -1): void {
  const project = store.of(projects).get(projectId);
  if (project === undefined) return;
  const { statistics = {} } = project;
  const changed: Record<string, number> = { ...statistics };
  for (const [name, bytes] of Object.entries(sizes)) {
    for (const each of [name, "storage_size"]) changed[each] = Math.max(0, (changed[each] ?? 0) + sign * bytes);
  }
  tx.update(projects, { ...project, statistics: changed });
}

/** The work for the statistics of one project, in steps. */
const projectSteps = 60;

const noStatistics: ProjectStatistics = {
  commit_count: 0,
  storage_size: 0,
  repository_size: 0,
  wiki_size: 0,
  lfs_objects_size: 0,
  job_artifacts_size: 0,
  pipeline_artifacts_size: 0,
  packages_size: 0,
  snippets_size: 0,
  uploads_size: 0,
  container_registry_size: 0,
};

/** groups-and-projects 3.4. */
export function projectStatisticsOf({ statistics }: ProjectRecord): ProjectStatistics {
  return { ...noStatistics, ...statistics };
}

/** The sums of the sizes of groups' projects: computed on request, and cached until one of the projects changes. */
export class GroupStatisticsCache {
  readonly #store: Store;
  readonly #cached = new Map<number, ProjectStatistics>();

  constructor(store: Store) {
    this.#store = store;
    store.watch(projects, (before, after) => {
      for (const project of [before, after]) if (project !== undefined) this.#cached.delete(project.namespace_id);
    });
    store.watch(groups, (before, after) => {
      if (before !== undefined && after === undefined) this.#cached.delete(before.id);
    });
  }

  /** Returns the sums of the projects directly in a group (groups-and-projects 2.4). */
  of(groupId: number): ProjectStatistics {
    const known = this.#cached.get(groupId);
    if (known !== undefined) return known;
    const documents = this.#store.of(projects);
    const sums: Record<string, number> = { ...noStatistics };
    for (const id of documents.by.namespace_id.find(groupId)) {
      spend(projectSteps);
      for (const [name, amount] of Object.entries(documents.get(id)?.statistics ?? {})) {
        sums[name] = (sums[name] ?? 0) + amount;
      }
    }
    const statistics = { ...noStatistics, ...sums };
    this.#cached.set(groupId, statistics);
    return statistics;
  }

  /** Bytes of all repositories directly in these groups. */
  repositorySizeIn(groupIds: readonly number[]): number {
    return groupIds.reduce((sum, id) => sum + this.of(id).repository_size, 0);
  }
}

/** Adds up the sizes of the projects of groups. */
export const GroupStatistics = serviceKey("group-statistics", ({ store }) => new GroupStatisticsCache(store));
