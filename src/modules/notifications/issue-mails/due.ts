/** The periodic work that mails about issues that are due. */

import { dayMs, toCalendarDate } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { type CronJob, daily } from "../../core/background-jobs/index.ts";
import { issues } from "../../planning/issues/records.ts";
import { type DueMailProgressRecord, dueMailProgress } from "./records.ts";
import { mailDueIssue } from "./service-issues.ts";

/** Mails open issues that are due the next day; each once, even if the server restarts. */
export const dueIssueMails: CronJob = {
  name: "mails about issues that are due",
  schedule: daily,
  atStart: true,
  async run({ context, pace }) {
    const { store, clock } = context;
    const due_date = toCalendarDate(clock.now() + dayMs);
    const known = store.of(dueMailProgress).get(1);
    const last = known?.due_date === due_date ? known.last_issue_id : 0;
    const ids = [...store.of(issues).by.due_date.between(due_date, due_date)].filter((id) => id > last);
    for (const id of ids.sort((one, other) => one - other)) {
      const issue = store.of(issues).get(id);
      if (issue?.state === "opened" && issue.due_date === due_date) {
        store.transact((tx) => {
          mailDueIssue(tx, context, issue);
          recordDueProgress(tx, store, { id: 1, due_date, last_issue_id: id });
        });
      }
      await pace();
    }
  },
};

function recordDueProgress(tx: Transaction, store: Store, progress: DueMailProgressRecord): void {
  if (store.of(dueMailProgress).get(1) === undefined) tx.insert(dueMailProgress, progress);
  else tx.update(dueMailProgress, progress);
}
