/** The hand-over of a deleted user's epics to the ghost user, or their deletion. */

import { userDeleted } from "../../core/users/index.ts";
import { subscribe } from "../../kernel/event.ts";
import { type EpicRecord, epics } from "../records/index.ts";
import { removeEpic } from "./service-delete.ts";

/** Softly, epics of the deleted become the ghost's; hard, they go (users-and-auth 9). */
export const epicUserRemoval = subscribe(userDeleted, {
  phase: 3,
  run(tx, context, { user, isHard, ghost, budget }) {
    const documents = context.store.of(epics);
    budget.each(
      () => documents.by.author_id.find(user.id),
      (id) => {
        const epic = documents.get(id) as EpicRecord;
        if (isHard) removeEpic(tx, context, epic);
        else tx.update(epics, { ...epic, author_id: ghost().id });
      },
    );
  },
});
