/** The hand-over of a deleted user's notes to the ghost user, or their deletion. */

import { writtenByUser } from "../../core/users/index.ts";
import { notes } from "./records.ts";
import { removeNotes } from "./service.ts";

export const noteUserRemoval = writtenByUser(notes, "author_id", {
  phase: 2,
  remove: removeNotes,
});
