import { defineModule } from "../../kernel/module.ts";
import { dueIssueMails } from "./due.ts";
import { mailEpic } from "./epics.ts";
import { mailIssue, mailNote } from "./issues.ts";
import { dueMails } from "./records.ts";

export { dueIssueMails } from "./due.ts";
export { mailNote } from "./issues.ts";
export { dueMails } from "./records.ts";

export const issueMailsModule = defineModule({
  name: "issue-mails",
  collections: [dueMails],
  cron: [dueIssueMails],
  onIssueChanged: [mailIssue],
  onNoteCreated: [mailNote],
  onEpicCreated: [mailEpic],
});
