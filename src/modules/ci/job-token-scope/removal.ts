import type { Transaction } from "../../../store/index.ts";
import { jobTokenLinks, sourceKey } from "../../core/access/index.ts";
import type { GroupRemoval } from "../../kernel/group-hooks.ts";
import type { ProjectRemoval } from "../../kernel/project-hooks.ts";

/** The lists of a project, and its place on those of others. */
export const jobTokenProjectRemoval: ProjectRemoval = {
  phase: 8,
  remove(tx, { store }, { id }, limit) {
    const { source_project_id, target } = store.of(jobTokenLinks).by;
    return removeLinks(tx, [...source_project_id.find(id), ...target.find(sourceKey({ type: "project", id }))], limit);
  },
};

export const jobTokenGroupRemoval: GroupRemoval = {
  phase: 8,
  remove(tx, { store }, { id }, limit) {
    return removeLinks(tx, [...store.of(jobTokenLinks).by.target.find(sourceKey({ type: "group", id }))], limit);
  },
};

function removeLinks(tx: Transaction, ids: readonly number[], limit: number): number {
  const taken = ids.slice(0, limit);
  for (const id of taken) tx.remove(jobTokenLinks, id);
  return taken.length;
}
