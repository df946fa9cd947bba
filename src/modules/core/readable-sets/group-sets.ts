/** The records of each group with all below it, updated with each change. */

import { Bitmap, type IdSet, type Store } from "../../../store/index.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import { selfAndDescendants } from "../namespaces/index.ts";
import type { ProjectThing, ReadableKind } from "./kind.ts";

interface CachedSet {
  readonly groups: ReadonlySet<number>;
  readonly projects: Set<number>;
  readonly ids: Bitmap;
}

/** Groups whose sets are cached, each with a bit for every record; the least recently used one is dropped. */
const cachedMax = 64;

/** The records in the projects of a group and its subgroups: put together once, then updated with each change. */
export class GroupSets<T extends ProjectThing> {
  readonly #store: Store;
  readonly #kind: ReadableKind<T>;
  readonly #cached = new Map<number, CachedSet>();

  constructor(store: Store, kind: ReadableKind<T>) {
    this.#store = store;
    this.#kind = kind;
    store.watch(kind.collection, (before, after) => {
      if (before?.project_id === after?.project_id) return;
      for (const cached of this.#cached.values()) {
        if (before !== undefined && cached.projects.has(before.project_id)) cached.ids.delete(before.id);
        if (after !== undefined && cached.projects.has(after.project_id)) cached.ids.add(after.id);
      }
    });
    store.watch(projects, (before, after) => {
      if (before?.namespace_id === after?.namespace_id) return;
      if (before === undefined && after !== undefined) this.#addProject(after.id, after.namespace_id);
      else this.#forgetThoseOver(before?.namespace_id, after?.namespace_id);
    });
    store.watch(groups, (before, after) => {
      if (before !== undefined && before.parent_id === after?.parent_id) return;
      this.#forgetThoseOver(before?.parent_id, before?.id, after?.parent_id);
    });
  }

  /** Live until the next change, and not to be changed. */
  of(groupId: number): IdSet {
    const cached = this.#cached.get(groupId) ?? this.#make(groupId);
    this.#cached.delete(groupId);
    if (this.#cached.size >= cachedMax) this.#cached.delete(this.#cached.keys().next().value as number);
    this.#cached.set(groupId, cached);
    return cached.ids;
  }

  #make(groupId: number): CachedSet {
    const ids = new Set(selfAndDescendants(this.#store, groupId));
    const cached = { groups: ids, projects: new Set<number>(), ids: new Bitmap() };
    for (const id of ids) {
      for (const projectId of this.#store.of(projects).by.namespace_id.find(id)) this.#put(cached, projectId);
    }
    return cached;
  }

  #addProject(projectId: number, namespaceId: number): void {
    for (const cached of this.#cached.values()) if (cached.groups.has(namespaceId)) this.#put(cached, projectId);
  }

  /** A project that was taken back or is put back by a rollback may have records already. */
  #put(cached: CachedSet, projectId: number): void {
    cached.projects.add(projectId);
    const found = this.#kind.listInProject(this.#store, projectId);
    if (found.addTo !== undefined) found.addTo(cached.ids);
    else for (const id of found) cached.ids.add(id);
  }

  #forgetThoseOver(...groupIds: readonly (number | null | undefined)[]): void {
    for (const [id, cached] of this.#cached) {
      if (groupIds.some((each) => typeof each === "number" && cached.groups.has(each))) this.#cached.delete(id);
    }
  }
}
