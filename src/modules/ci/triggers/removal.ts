import type { ProjectRemoval } from "../../kernel/project-hooks.ts";
import { triggers } from "./records.ts";

export const triggerRemoval: ProjectRemoval = {
  phase: 7,
  remove(tx, { store }, project, limit) {
    const ids = [...store.of(triggers).by.project_id.find(project.id)].slice(0, limit);
    for (const id of ids) tx.remove(triggers, id);
    return ids.length;
  },
};
