/** The removal of links with their projects and groups. */

import { sourceKey } from "../../../domain/source.ts";
import { groupRemoval, projectRemoval } from "../../core/namespaces/index.ts";
import { removeFirst } from "../../kernel/removal.ts";
import { jobTokenLinks } from "./records.ts";

/** The lists of a project, and its place on those of others. */
export const jobTokenProjectRemoval = projectRemoval({
  phase: 8,
  remove(tx, { store }, { id }, limit) {
    const { source_project_id, target } = store.of(jobTokenLinks).by;
    const links = new Set([...source_project_id.find(id), ...target.find(sourceKey({ type: "project", id }))]);
    return removeFirst(tx, jobTokenLinks, links, limit);
  },
});

export const jobTokenGroupRemoval = groupRemoval({
  phase: 8,
  remove(tx, { store }, { id }, limit) {
    return removeFirst(
      tx,
      jobTokenLinks,
      store.of(jobTokenLinks).by.target.find(sourceKey({ type: "group", id })),
      limit,
    );
  },
});
