import { startMails } from "../../core/outbox/index.ts";
import { noteEvents } from "../../discussions/notes/index.ts";
import { subscribe } from "../../kernel/event.ts";
import { defineModule } from "../../kernel/module.ts";
import { epicEvents } from "../../planning/epics/index.ts";
import { issueEvents } from "../../planning/issues/index.ts";
import { releaseEvents } from "../../releases/releases/index.ts";
import { dueIssueMails } from "./due.ts";
import { canStillRead } from "./readers.ts";
import { dueMailProgress } from "./records.ts";
import { mailEpic } from "./service-epics.ts";
import { mailIssue } from "./service-issues.ts";
import { mailNote } from "./service-notes.ts";
import { mailRelease } from "./service-releases.ts";

export { dueIssueMails } from "./due.ts";
export { addressOfTarget, excerptOf, nameOf, subjectOf, textOf } from "./mail-text.ts";
export { mentionedIn } from "./mentions.ts";
export { mailNote } from "./service-notes.ts";

export const issueMailsModule = defineModule({
  name: "issue-mails",
  collections: [dueMailProgress],
  cron: [dueIssueMails],
  on: [
    subscribe(issueEvents.created, { phase: 6, run: mailIssue }),
    subscribe(issueEvents.updated, { phase: 6, run: mailIssue }),
    subscribe(noteEvents.created, { run: mailNote }),
    subscribe(epicEvents.created, { run: mailEpic }),
    subscribe(releaseEvents.created, { phase: 6, run: mailRelease }),
  ],
  start: (context) => startMails(context, (reader) => canStillRead(context, reader)),
});
