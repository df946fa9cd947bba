import { defineModule } from "../../kernel/module.ts";
import { dueMails } from "./records.ts";
import { dueIssueMails } from "./due.ts";

export { dueMails } from "./records.ts";
export { dueIssueMails } from "./due.ts";
export { mailEpic } from "./epics.ts";
export { mailIssue, mailNote } from "./issues.ts";

export const issueMailsModule = defineModule({
  name: "issue-mails",
  collections: [dueMails],
  cron: [dueIssueMails],
});
