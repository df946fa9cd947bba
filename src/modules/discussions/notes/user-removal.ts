/** The hand-over of a deleted user's notes to the ghost user, or their deletion. */

import { userDeleted } from "../../core/users/index.ts";
import { subscribe } from "../../kernel/event.ts";
import { type NoteRecord, notes } from "../../planning/records/index.ts";
import { removeNote } from "./service.ts";

/** Softly, notes of the deleted become the ghost's; hard, they go (users-and-auth 9). */
export const noteUserRemoval = subscribe(userDeleted, {
  phase: 2,
  run(tx, { store }, { user, isHard, ghost, budget }) {
    const documents = store.of(notes);
    budget.each(
      () => documents.by.author_id.find(user.id),
      (id) => {
        const note = documents.get(id) as NoteRecord;
        if (isHard) removeNote(tx, store, note);
        else tx.update(notes, { ...note, author_id: ghost().id });
      },
    );
  },
});
