/** The removal of issues with their project. */

import { projectRemoval } from "../../../core/namespaces/index.ts";
import { issues } from "../../records/index.ts";
import { removeIssue } from "./service-removal.ts";

/** Issues, and everything on them, are deleted with their project. */
export const issueRemoval = projectRemoval({
  phase: 2,
  remove(tx, { store }, project, limit) {
    const documents = store.of(issues);
    const ids: number[] = [];
    for (const id of documents.by.project_id.find(project.id)) if (ids.push(id) === limit) break;
    for (const id of ids) {
      const issue = documents.get(id);
      if (issue !== undefined) removeIssue(tx, store, issue);
    }
    return ids.length;
  },
});
