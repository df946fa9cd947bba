/** The removal of issues with their project. */

import { projectRemoval } from "../../../core/namespaces/index.ts";
import { issues } from "../records.ts";
import { removeIssues } from "./service-removal.ts";

/** Issues, and everything on them, are deleted with their project. */
export const issueRemoval = projectRemoval({
  phase: 2,
  remove(tx, { store }, project, limit) {
    return removeIssues(tx, store, store.of(issues).by.project_id.find(project.id), limit);
  },
});
