/** The hand-over of a deleted user's epics to the ghost user, or their deletion. */

import { userDeleted } from "../../core/users/index.ts";
import { subscribe } from "../../kernel/event.ts";
import { epics } from "../records/index.ts";
import { removeEpic } from "./service-delete.ts";

/** Softly, epics of the deleted become the ghost's; hard, they go (users-and-auth 9). */
export const epicUserRemoval = subscribe(userDeleted, {
  phase: 3,
  run(tx, context, { user, isHard, ghost }) {
    const documents = context.store.of(epics);
    for (const id of [...documents.by.author_id.find(user.id)]) {
      const epic = documents.get(id);
      if (epic === undefined) continue;
      if (isHard) removeEpic(tx, context, epic);
      else tx.update(epics, { ...epic, author_id: ghost().id });
    }
  },
});
