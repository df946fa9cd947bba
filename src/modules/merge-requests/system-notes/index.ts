import { subscribe } from "../../kernel/event.ts";
import { defineModule } from "../../kernel/module.ts";
import { mergeRequestEvents } from "../merge-requests/index.ts";
import { recordMergeRequestSave } from "./service.ts";

export const mergeRequestSystemNotesModule = defineModule({
  name: "merge-request-system-notes",
  on: [
    subscribe(mergeRequestEvents.created, { run: recordMergeRequestSave }),
    subscribe(mergeRequestEvents.updated, { run: recordMergeRequestSave }),
  ],
});
