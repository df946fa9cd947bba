import { accessLevels } from "../../../domain/access-level.ts";
import { Access } from "../../core/access/index.ts";
import { type ReadableKind, ReadableSets } from "../../core/readable-sets/index.ts";
import { projectSettingOf } from "../../groups-and-projects/projects/records.ts";
import { serviceKey } from "../../kernel/service.ts";
import { type IssueRecord, issues } from "../issues/records.ts";
import { canReadIssue, plannerLevel } from "./policy.ts";

export const readableIssues: ReadableKind<IssueRecord> = {
  collection: issues,
  levels: [accessLevels.guest],
  readersIn(project) {
    const setting = projectSettingOf(project, "issues_access_level");
    if (setting === "disabled") return undefined;
    const isOpen = setting === "enabled" && project.visibility !== "private";
    return { level: accessLevels.guest, others: isOpen ? project.visibility : "nobody" };
  },
  canRead: canReadIssue,
  listProjectIds: (store) => Array.from(store.of(issues).by.project_id.keys(), Number),
  listInProject: (store, projectId) => store.of(issues).by.project_id.find(projectId),
  listByAuthor: (store, userId) => store.of(issues).by.author_id.find(userId),
  restricted: {
    list: (store) => store.of(issues).by.confidential.find("yes"),
    level: plannerLevel,
    listFor: (store, userId) => [
      store.of(issues).by.author_id.find(userId),
      store.of(issues).by.assignee_id.find(userId),
    ],
    isReadBySame: (before, after) =>
      before.confidential === after.confidential && before.assignee_ids.join() === after.assignee_ids.join(),
  },
};

/** Knows which issues a user may read. */
export const ReadableIssues = serviceKey(
  "readable-issues",
  (context) => new ReadableSets(context.store, context.get(Access), readableIssues),
);
