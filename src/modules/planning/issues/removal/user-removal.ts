/** The hand-over of a deleted user's issues to the ghost user, or their deletion. */

import { userDeleted } from "../../../core/users/index.ts";
import { subscribe } from "../../../kernel/event.ts";
import { issues } from "../../records/index.ts";
import { removeIssue } from "./service-removal.ts";
import { unassign } from "./unassignment.ts";

/**
 * users-and-auth 9: issues of a user become the ghost's or go; assignments, and who closed what, are forgotten.
 */
export const issuesDeletedWithUser = subscribe(userDeleted, {
  phase: 4,
  run(tx, { store }, { user, isHard, ghost }) {
    const documents = store.of(issues);
    const each = (ids: Iterable<number>) =>
      [...ids].map((id) => documents.get(id)).filter((issue) => issue !== undefined);
    for (const issue of each(documents.by.author_id.find(user.id))) {
      if (isHard) removeIssue(tx, store, issue);
      else tx.update(issues, { ...issue, author_id: ghost().id });
    }
    for (const issue of each(documents.by.assignee_id.find(user.id))) {
      unassign(tx, issue, user.id);
    }
    for (const issue of each(documents.by.closed_by_id.find(user.id))) {
      tx.update(issues, { ...issue, closed_by_id: isHard ? null : ghost().id });
    }
  },
});
