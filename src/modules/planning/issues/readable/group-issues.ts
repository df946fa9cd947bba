/** The issues of each group with all below it, kept up to date. */

import { Bitmap, type IdSet, type Store } from "../../../../store/index.ts";
import { groups, projects, selfAndDescendants } from "../../../core/namespaces/index.ts";
import { issues } from "../../records/index.ts";

interface Kept {
  readonly groups: ReadonlySet<number>;
  readonly projects: Set<number>;
  readonly issues: Bitmap;
}

/** Groups whose sets are cached, each with a bit for every issue; the least recently used one is dropped. */
const keptMax = 64;

/** The issues of the projects of a group and its subgroups: put together once, then kept in step one by one. */
export class GroupIssues {
  readonly #store: Store;
  readonly #kept = new Map<number, Kept>();

  constructor(store: Store) {
    this.#store = store;
    store.watch(issues, (before, after) => {
      if (before?.project_id === after?.project_id) return;
      for (const kept of this.#kept.values()) {
        if (before !== undefined && kept.projects.has(before.project_id)) kept.issues.delete(before.id);
        if (after !== undefined && kept.projects.has(after.project_id)) kept.issues.add(after.id);
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
    const kept = this.#kept.get(groupId) ?? this.#make(groupId);
    this.#kept.delete(groupId);
    if (this.#kept.size >= keptMax) this.#kept.delete(this.#kept.keys().next().value as number);
    this.#kept.set(groupId, kept);
    return kept.issues;
  }

  #make(groupId: number): Kept {
    const ids = new Set(selfAndDescendants(this.#store, groupId));
    const kept = { groups: ids, projects: new Set<number>(), issues: new Bitmap() };
    for (const id of ids) {
      for (const projectId of this.#store.of(projects).by.namespace_id.find(id)) this.#put(kept, projectId);
    }
    return kept;
  }

  #addProject(projectId: number, namespaceId: number): void {
    for (const kept of this.#kept.values()) if (kept.groups.has(namespaceId)) this.#put(kept, projectId);
  }

  /** A project that was taken back or is put back by a rollback may have issues already. */
  #put(kept: Kept, projectId: number): void {
    kept.projects.add(projectId);
    const found = this.#store.of(issues).by.project_id.find(projectId);
    if (found.addTo !== undefined) found.addTo(kept.issues);
    else for (const id of found) kept.issues.add(id);
  }

  #forgetThoseOver(...groupIds: readonly (number | null | undefined)[]): void {
    for (const [id, kept] of this.#kept) {
      if (groupIds.some((each) => typeof each === "number" && kept.groups.has(each))) this.#kept.delete(id);
    }
  }
}
