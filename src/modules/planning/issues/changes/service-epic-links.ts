import type { Store, Transaction } from "../../../../store/index.ts";
import { type EpicIssueRecord, epicIssues, positionStep } from "../../epics/records.ts";
import { type IssueRecord, issues } from "../records.ts";

/** Puts an issue into an epic, behind the others there; it leaves the one it was in. The issue's record follows. */
export function insertEpicLink(tx: Transaction, store: Store, issue: IssueRecord, epicId: number): EpicIssueRecord {
  const changed = removeEpicLink(tx, store, issue);
  const positions = [...store.of(epicIssues).by.epic_id.find(epicId)].map(
    (id) => store.of(epicIssues).get(id)?.relative_position ?? 0,
  );
  tx.update(issues, { ...changed, epic_id: epicId });
  return tx.insert(epicIssues, {
    id: tx.nextId("epic_issues"),
    epic_id: epicId,
    issue_id: issue.id,
    relative_position: positions.reduce((last, each) => Math.max(last, each), 0) + positionStep,
  });
}

/** Takes an issue out of the epic that it is in, if any. The issue's record follows. */
export function removeEpicLink(tx: Transaction, store: Store, issue: IssueRecord): IssueRecord {
  const link = store.of(epicIssues).by.issue_id.find(issue.id);
  if (link !== undefined) tx.remove(epicIssues, link);
  return issue.epic_id === null ? issue : tx.update(issues, { ...issue, epic_id: null });
}
