/** The hand-over of a deleted user's issues to the ghost user, or their deletion. */

import { userRemovalStep, writtenByUser } from "../../../core/users/index.ts";
import { subscribe } from "../../../kernel/event.ts";
import { type IssueRecord, issues } from "../records.ts";
import { removeIssues } from "./service-removal.ts";
import { unassign } from "./unassignment.ts";

export const issueUserRemoval = writtenByUser(issues, "author_id", {
  phase: 4,
  remove: (tx, { store }, ids, limit) => removeIssues(tx, store, ids, limit),
});

/** Assignments of a deleted user are forgotten; the issues that the user closed have no one or the ghost there (users-and-auth 9). */
export const deletedUserInIssues = subscribe(userRemovalStep, {
  phase: 4,
  run(tx, { store }, { user, isHard, ghost, budget }) {
    const documents = store.of(issues);
    const { assignee_id, closed_by_id } = documents.by;
    budget.each(
      () => assignee_id.find(user.id),
      (id) => unassign(tx, documents.get(id) as IssueRecord, user.id),
    );
    budget.each(
      () => closed_by_id.find(user.id),
      (id) => tx.update(issues, { ...(documents.get(id) as IssueRecord), closed_by_id: isHard ? null : ghost().id }),
    );
  },
});
