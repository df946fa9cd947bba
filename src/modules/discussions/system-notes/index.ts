import { subscribe } from "../../kernel/event.ts";
import { defineModule } from "../../kernel/module.ts";
import { issuePromoted } from "../../planning/epics/index.ts";
import { issueEvents, issueMarkedAsDuplicate } from "../../planning/issues/index.ts";
import { noteEvents } from "../notes/index.ts";
import { recordIssueDuplicate, recordIssuePromotion, recordIssueSave, recordMentionsOfNote } from "./service.ts";

export { textsOfChange } from "./change-texts.ts";
export { insertSystemNote, recordMentions } from "./service.ts";
export { addedAndRemoved, differenceOf, type NotedState } from "./texts.ts";

export const systemNotesModule = defineModule({
  name: "system-notes",
  on: [
    subscribe(issueEvents.created, { run: recordIssueSave }),
    subscribe(issueEvents.updated, { run: recordIssueSave }),
    subscribe(issuePromoted, { run: recordIssuePromotion }),
    subscribe(issueMarkedAsDuplicate, { run: recordIssueDuplicate }),
    subscribe(noteEvents.created, { run: recordMentionsOfNote }),
    subscribe(noteEvents.updated, { run: recordMentionsOfNote }),
  ],
});
