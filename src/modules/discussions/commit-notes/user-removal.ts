/** The hand-over of a deleted user's comments on commits to the ghost user, or their deletion. */

import { writtenByUser } from "../../core/users/index.ts";
import { commitNotes } from "./records.ts";
import { removeCommitNotes } from "./service.ts";

export const commitNoteUserRemoval = writtenByUser(commitNotes, "author_id", { phase: 2, remove: removeCommitNotes });
