/** Issues, as things that users write notes on. */

import { notFound } from "../../../domain/failure.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import { interpretIssueText, participantsOf, writeQuickActions } from "../../planning/issues/index.ts";
import { type IssueRecord, iidKey, issues } from "../../planning/issues/records.ts";
import { ReadableIssues } from "../../planning/readable-issues/index.ts";
import { defineNoteable } from "./noteable.ts";

/** The issue's field that counts reactions of a name. */
const votes: Readonly<Record<string, "upvotes" | "downvotes">> = { thumbsup: "upvotes", thumbsdown: "downvotes" };

export const noteableIssue = defineNoteable<IssueRecord>({
  type: "Issue",
  word: "issue",
  path: "/projects/:id/issues/:issue_iid",
  parameter: "issue_iid",
  parameterDescription: "iid of the issue",
  find: (store, id) => store.of(issues).get(id),
  findReadable(context, { user }, project, iid) {
    const documents = context.store.of(issues);
    const id = documents.by.iid.find(iidKey(project.id, iid));
    const issue = id === undefined ? undefined : documents.get(id);
    return issue !== undefined && context.get(ReadableIssues).has(user, issue) ? issue : undefined;
  },
  notFound: () => notFound("Issue"),
  canRead: (context, user, issue) => context.get(ReadableIssues).has(user, issue),
  findProject: (store, { project_id }) => store.of(projects).get(project_id),
  hasInternalNotes: true,
  isLocked: ({ discussion_locked }) => discussion_locked === true,
  referenceOf: ({ iid }) => `#${iid}`,
  pagePathOf: ({ iid }) => `issues/${iid}`,
  listParticipants: (store, issue) => participantsOf(store, issue),
  quickActions: { interpret: interpretIssueText, write: writeQuickActions },
  countNotes: (tx, issue, by) => tx.update(issues, { ...issue, user_notes_count: issue.user_notes_count + by }),
  countReactions(tx, issue, name, by) {
    const field = votes[name];
    if (field !== undefined) tx.update(issues, { ...issue, [field]: issue[field] + by });
  },
});
