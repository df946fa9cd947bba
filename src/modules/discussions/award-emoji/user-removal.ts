/** The hand-over of a deleted user's reactions to the ghost user, or their deletion. */

import { userDeleted } from "../../core/users/index.ts";
import { subscribe } from "../../kernel/event.ts";
import { type AwardEmojiRecord, awardEmoji } from "../../planning/records/index.ts";
import { removeAward } from "./service.ts";

/** Softly, reactions of the deleted become the ghost's, and go on counting; hard, they go (users-and-auth 9). */
export const awardUserRemoval = subscribe(userDeleted, {
  phase: 1,
  run(tx, { store }, { user, isHard, ghost, budget }) {
    const documents = store.of(awardEmoji);
    budget.each(
      () => documents.by.user_id.find(user.id),
      (id) => {
        const award = documents.get(id) as AwardEmojiRecord;
        if (isHard) removeAward(tx, store, award);
        else tx.update(awardEmoji, { ...award, user_id: ghost().id });
      },
    );
  },
});
