/** The project and the groups above it, whose labels and milestones issues may have. */

import type { SourceRef } from "../../../domain/source.ts";
import type { Store } from "../../../store/index.ts";
import { selfAndAncestors } from "../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";

/** The project, its group and every group above: whose labels and milestones its issues may have, the nearest first. */
export function sourcesAbove(store: Store, project: Pick<ProjectRecord, "id" | "namespace_id">): SourceRef[] {
  return [{ type: "project", id: project.id }, ...groupsAbove(store, project.namespace_id)];
}

/** The namespace and those above it, as far as they are groups, the nearest first. */
export function groupsAbove(store: Store, namespaceId: number): SourceRef[] {
  const groups = selfAndAncestors(store, namespaceId).filter(({ kind }) => kind === "group");
  return groups.map(({ id }): SourceRef => ({ type: "group", id }));
}
