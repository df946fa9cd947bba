/** The hand-over of a deleted user's reactions to the ghost user, where they go on counting, or their deletion. */

import { writtenByUser } from "../../core/users/index.ts";
import { awardEmoji } from "./records.ts";
import { removeAwards } from "./service.ts";

export const awardUserRemoval = writtenByUser(awardEmoji, "user_id", {
  phase: 1,
  remove: removeAwards,
});
