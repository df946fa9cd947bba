import { subscribe } from "../../kernel/event.ts";
import { defineModule } from "../../kernel/module.ts";
import { mergeRequestEvents } from "../merge-requests/index.ts";
import { mailMergeRequest } from "./service.ts";

export const mergeRequestMailsModule = defineModule({
  name: "merge-request-mails",
  on: [
    subscribe(mergeRequestEvents.created, { phase: 6, run: mailMergeRequest }),
    subscribe(mergeRequestEvents.updated, { phase: 6, run: mailMergeRequest }),
  ],
});
