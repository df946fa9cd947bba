import { type SourceRef, sourceOf } from "../../../domain/source.ts";
import type { Store } from "../../../store/index.ts";
import { type GroupRecord, groups } from "../../groups-and-projects/groups/records.ts";
import type { NamespaceRecord } from "../../groups-and-projects/namespaces-api/records.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import { groupLinks } from "../../groups-and-projects/shares/records.ts";
import { memberships } from "../../members/members/records.ts";
import { fullPathOf, projectPathOf, selfAndAncestors } from "../namespaces/index.ts";

/** A group or project with members: a handler of an operation for both kinds gets one of them. */
export type Source = { readonly group: GroupRecord } | { readonly project: ProjectRecord };

export function refOf(source: Source): SourceRef {
  return "group" in source ? { type: "group", id: source.group.id } : { type: "project", id: source.project.id };
}

export function recordOf(source: Source): GroupRecord | ProjectRecord {
  return "group" in source ? source.group : source.project;
}

/** The source of a row; undefined when it is deleted. */
export function findSource(store: Store, { type, id }: SourceRef): Source | undefined {
  if (type === "group") {
    const group = store.of(groups).get(id);
    return group === undefined ? undefined : { group };
  }
  const project = store.of(projects).get(id);
  return project === undefined ? undefined : { project };
}

/** A group's own namespace or a project's, and those above it, the nearest first. */
export function namespacesOf(store: Store, source: Source): NamespaceRecord[] {
  return selfAndAncestors(store, "group" in source ? source.group.id : source.project.namespace_id);
}

/** The project, its group and every group above: whose labels and milestones its issues may have, the nearest first. */
export function sourcesAbove(store: Store, project: Pick<ProjectRecord, "id" | "namespace_id">): SourceRef[] {
  return [{ type: "project", id: project.id }, ...groupsAbove(store, project.namespace_id)];
}

/** The namespace and those above it, as far as they are groups, the nearest first. */
export function groupsAbove(store: Store, namespaceId: number): SourceRef[] {
  const groups = selfAndAncestors(store, namespaceId).filter(({ kind }) => kind === "group");
  return groups.map(({ id }): SourceRef => ({ type: "group", id }));
}

export function sourcePathOf(store: Store, source: Source): string {
  return "group" in source ? fullPathOf(store, source.group.id) : projectPathOf(store, source.project);
}

/** Calls `note` with the source of every membership and share that is added, removed or changed. */
export function watchSources(store: Store, note: (source: SourceRef) => void): void {
  const noteSource = (row: Parameters<typeof sourceOf>[0] | undefined) => {
    if (row !== undefined) note(sourceOf(row));
  };
  store.watch(memberships, (before, after) => noteSource(after ?? before));
  store.watch(groupLinks, (before, after) => noteSource(after ?? before));
}
