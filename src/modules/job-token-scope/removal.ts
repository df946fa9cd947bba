import { jobTokenGroupLinks, jobTokenProjectLinks } from "../access/index.ts";
import type { GroupRemoval } from "../group-hooks.ts";
import type { ProjectRemoval } from "../project-hooks.ts";

/** The lists of a project, and its place on those of others. */
export const jobTokenProjectRemoval: ProjectRemoval = {
  remove(tx, { store }, { id }, limit) {
    const links = store.of(jobTokenProjectLinks).by;
    const ofProjects = [...links.source_project_id.find(id), ...links.target_project_id.find(id)].slice(0, limit);
    for (const link of ofProjects) tx.remove(jobTokenProjectLinks, link);
    const ofGroups = [...store.of(jobTokenGroupLinks).by.source_project_id.find(id)].slice(
      0,
      limit - ofProjects.length,
    );
    for (const link of ofGroups) tx.remove(jobTokenGroupLinks, link);
    return ofProjects.length + ofGroups.length;
  },
};

export const jobTokenGroupRemoval: GroupRemoval = {
  remove(tx, { store }, { id }, limit) {
    const links = [...store.of(jobTokenGroupLinks).by.target_group_id.find(id)].slice(0, limit);
    for (const link of links) tx.remove(jobTokenGroupLinks, link);
    return links.length;
  },
};
