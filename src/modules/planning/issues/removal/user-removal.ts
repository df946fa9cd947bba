/** The hand-over of a deleted user's issues to the ghost user, or their deletion. */

import { userDeleted } from "../../../core/users/index.ts";
import { subscribe } from "../../../kernel/event.ts";
import { type IssueRecord, issues } from "../../records/index.ts";
import { removeIssues } from "./service-removal.ts";
import { unassign } from "./unassignment.ts";

/**
 * users-and-auth 9: issues of a user become the ghost's or go; assignments, and who closed what, are forgotten.
 */
export const issuesDeletedWithUser = subscribe(userDeleted, {
  phase: 4,
  run(tx, { store }, { user, isHard, ghost, budget }) {
    const documents = store.of(issues);
    const each = (list: () => Iterable<number>, change: (issue: IssueRecord) => void) =>
      budget.each(list, (id) => change(documents.get(id) as IssueRecord));
    const { author_id, assignee_id, closed_by_id } = documents.by;
    if (isHard) budget.spend((limit) => removeIssues(tx, store, author_id.find(user.id), limit));
    else
      each(
        () => author_id.find(user.id),
        (issue) => tx.update(issues, { ...issue, author_id: ghost().id }),
      );
    each(
      () => assignee_id.find(user.id),
      (issue) => unassign(tx, issue, user.id),
    );
    each(
      () => closed_by_id.find(user.id),
      (issue) => tx.update(issues, { ...issue, closed_by_id: isHard ? null : ghost().id }),
    );
  },
});
