/** The removal of merge requests with their project, and of users from them. */

import { projectRemoval } from "../../../core/namespaces/index.ts";
import { userRemovalStep, writtenByUser } from "../../../core/users/index.ts";
import { subscribe } from "../../../kernel/event.ts";
import { type MergeRequestRecord, mergeRequests } from "../records.ts";
import { removeMergeRequests } from "./service-removal.ts";

/** Merge requests, and everything on them, are deleted with their project. */
export const mergeRequestRemoval = projectRemoval({
  phase: 2,
  remove(tx, { store }, { id }, limit) {
    return removeMergeRequests(tx, store, store.of(mergeRequests).by.project_id.find(id), limit);
  },
});

export const mergeRequestUserRemoval = writtenByUser(mergeRequests, "author_id", {
  phase: 4,
  remove: (tx, { store }, ids, limit) => removeMergeRequests(tx, store, ids, limit),
});

/** A deleted user reviews nothing any more; what the user closed or merged has no one or the ghost there (users-and-auth 9). */
export const deletedUserInMergeRequests = subscribe(userRemovalStep, {
  phase: 4,
  run(tx, { store }, { user, isHard, ghost, budget }) {
    const documents = store.of(mergeRequests);
    const { by } = documents;
    const heir = () => (isHard ? null : ghost().id);
    const without = (ids: readonly number[]) => ids.filter((id) => id !== user.id);
    const change = (id: number, changed: (before: MergeRequestRecord) => Partial<MergeRequestRecord>) => {
      const before = documents.get(id) as MergeRequestRecord;
      tx.update(mergeRequests, { ...before, ...changed(before) });
    };
    budget.each(
      () => by.assignee_id.find(user.id),
      (id) => change(id, ({ assignee_ids }) => ({ assignee_ids: without(assignee_ids) })),
    );
    budget.each(
      () => by.reviewer_id.find(user.id),
      (id) =>
        change(id, ({ reviewer_ids, reviews = [] }) => ({
          reviewer_ids: without(reviewer_ids),
          reviews: reviews.filter(({ user_id }) => user_id !== user.id),
        })),
    );
    budget.each(
      () => by.approved_by_id.find(user.id),
      (id) => change(id, ({ approvals = [] }) => ({ approvals: approvals.filter((each) => each.user_id !== user.id) })),
    );
    budget.each(
      () => by.closed_by_id.find(user.id),
      (id) => change(id, () => ({ closed_by_id: heir() })),
    );
    budget.each(
      () => by.merge_user_id.find(user.id),
      (id) => change(id, () => ({ merge_user_id: heir() })),
    );
  },
});
