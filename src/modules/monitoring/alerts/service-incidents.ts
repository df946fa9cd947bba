import type { SignedInCaller } from "../../../domain/caller.ts";
import { invalid } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { updateRecord } from "../../kernel/record-events.ts";
import {
  canHaveIssues,
  closeIssue,
  type IssueSaved,
  insertIssue,
  isClosing,
  requireIssueCreator,
} from "../../planning/issues/index.ts";
import { type IssueRecord, issues } from "../../planning/issues/records.ts";
import { describeIncident } from "./description.ts";
import { alertEvents } from "./events.ts";
import { untitled } from "./payload/index.ts";
import { type AlertRecord, alerts } from "./records.ts";
import { findOrInsertAlertBot } from "./service-bot.ts";
import { getAlert } from "./service-find.ts";

/** Opens an incident for a new alert, by the bot; not where issues are disabled. */
export function openIncidentAutomatically(
  tx: Transaction,
  context: Context,
  project: ProjectRecord,
  alert: AlertRecord,
  baseUrl: string,
): AlertRecord {
  if (!canHaveIssues(project)) return alert;
  const issue = openIncident(tx, context, findOrInsertAlertBot(tx, context), project, alert, baseUrl);
  return tx.update(alerts, { ...alert, issue_id: issue.id });
}

/** `POST …/:alert_iid/incident` (alerts C). Throws 404, 403 where no issues can be made, 400 when there is one. */
export function createIncident(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  iid: number,
  baseUrl: string,
): IssueRecord {
  const { store, clock } = context;
  return store.transact((tx) => {
    const alert = getAlert(context, project, iid);
    if (incidentOf(context, alert) !== undefined) throw invalid("An issue already exists");
    requireIssueCreator(context, caller, project);
    const issue = openIncident(tx, context, caller, project, alert, baseUrl);
    const updated_at = toDateTime(clock.now());
    updateRecord(tx, context, caller, alertEvents, { ...alert, issue_id: issue.id, updated_at });
    return issue;
  });
}

/** The issue that was made of an alert, as long as there is one. */
export function incidentOf({ store }: Context, { issue_id }: AlertRecord): IssueRecord | undefined {
  return issue_id === null ? undefined : store.of(issues).get(issue_id);
}

/** Closes the incident of an alert that ended by itself. */
export function closeIncident(tx: Transaction, context: Context, alert: AlertRecord): void {
  const issue = incidentOf(context, alert);
  if (issue?.state === "opened") closeIssue(tx, context, findOrInsertAlertBot(tx, context), issue);
}

/** The closing of an incident resolves its alert; a move closes the old issue, and resolves nothing. */
export function resolveAlertOfIncident(tx: Transaction, context: Context, change: IssueSaved): void {
  const { after } = change;
  const { store, clock } = context;
  if (!isClosing(change) || after.moved_to_id !== null) return;
  const now = toDateTime(clock.now());
  for (const id of [...store.of(alerts).by.issue_id.find(after.id)]) {
    const alert = store.of(alerts).get(id);
    if (alert === undefined || alert.status === "resolved") continue;
    const resolved = { ...alert, status: "resolved", ended_at: now, updated_at: now } as const;
    updateRecord(tx, context, change.caller, alertEvents, resolved);
  }
}

function openIncident(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  alert: AlertRecord,
  baseUrl: string,
): IssueRecord {
  return insertIssue(tx, context, caller, project, (iid) => ({
    title: alert.title === untitled ? `New: Incident ${iid}` : alert.title,
    description: describeIncident(context.store, project, alert, baseUrl),
    issue_type: "incident",
    severity: alert.severity === "info" ? "unknown" : alert.severity,
  }));
}
