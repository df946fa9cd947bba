/** The hand-over of a deleted user's epics to the ghost user, or their deletion. */

import { writtenByUser } from "../../core/users/index.ts";
import { epics } from "./records.ts";
import { removeEpics } from "./service-delete.ts";

export const epicUserRemoval = writtenByUser(epics, "author_id", { phase: 3, remove: removeEpics });
