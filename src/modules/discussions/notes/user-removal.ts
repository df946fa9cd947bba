/** The hand-over of a deleted user's notes to the ghost user, or their deletion. */

import { userDeleted } from "../../core/users/index.ts";
import { subscribe } from "../../kernel/event.ts";
import { type NoteRecord, notes } from "../../planning/records/index.ts";
import { removeNotes } from "./service.ts";

/** Softly, notes of the deleted become the ghost's; hard, they go (users-and-auth 9). */
export const noteUserRemoval = subscribe(userDeleted, {
  phase: 2,
  run(tx, { store }, { user, isHard, ghost, budget }) {
    const documents = store.of(notes);
    const { author_id } = documents.by;
    if (isHard) budget.spend((limit) => removeNotes(tx, store, author_id.find(user.id), limit));
    else
      budget.each(
        () => author_id.find(user.id),
        (id) => tx.update(notes, { ...(documents.get(id) as NoteRecord), author_id: ghost().id }),
      );
  },
});
