import { subscribe } from "../../kernel/event.ts";
import { defineModule } from "../../kernel/module.ts";
import { issuePromoted } from "../../planning/epics/index.ts";
import { issueMarkedAsDuplicate, issueMoved, issueSaved } from "../../planning/issues/index.ts";
import { noteCreated, noteUpdated } from "../notes/index.ts";
import {
  recordIssueDuplicate,
  recordIssueMove,
  recordIssuePromotion,
  recordIssueSave,
  recordMentionsOfNote,
} from "./service.ts";

export const systemNotesModule = defineModule({
  name: "system-notes",
  on: [
    subscribe(issueSaved, { run: recordIssueSave }),
    subscribe(issueMoved, { run: recordIssueMove }),
    subscribe(issuePromoted, { run: recordIssuePromotion }),
    subscribe(issueMarkedAsDuplicate, { run: recordIssueDuplicate }),
    subscribe(noteCreated, { run: recordMentionsOfNote }),
    subscribe(noteUpdated, { run: recordMentionsOfNote }),
  ],
});
