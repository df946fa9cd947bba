import type { Caller } from "../../../../domain/caller.ts";
import { type ProjectRecord, projectRemoval } from "../../../core/namespaces/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { issues } from "../../records/index.ts";
import { issueConditions } from "../filters/index.ts";
import { removeIssue } from "./removal.ts";

/** Issues go with their project, and everything on them with them. */
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

/** Open issues of a project that the caller may read (groups-and-projects 3.4). */
export function countOpenIssues(context: Context, caller: Caller, project: ProjectRecord): number {
  const where = issueConditions(context, caller, {}, { project });
  return context.store.count(issues, [...where, { index: "state", key: "opened" }]);
}
