import type { Store } from "../../store/index.ts";
import type { SourceRef } from "../access/index.ts";
import { type ProjectRecord, selfAndAncestors } from "../namespaces/index.ts";

/** The project, its group and every group above: whose labels and milestones its issues may have, the nearest first. */
export function placesAbove(store: Store, project: Pick<ProjectRecord, "id" | "namespace_id">): SourceRef[] {
  const groups = selfAndAncestors(store, project.namespace_id).filter(({ kind }) => kind === "group");
  return [{ type: "project", id: project.id }, ...groups.map(({ id }): SourceRef => ({ type: "group", id }))];
}
