import { theServer } from "../../../../domain/caller.ts";
import { includesTier } from "../../../../domain/edition.ts";
import { invalid } from "../../../../domain/failure.ts";
import { withoutLimit } from "../../../../domain/work-budget.ts";
import { toDateTime } from "../../../../lib/datetime.ts";
import { OneAtATime } from "../../../../lib/one-at-a-time.ts";
import type { Transaction } from "../../../../store/index.ts";
import { Features } from "../../../admin/feature-flags/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { publish } from "../../../kernel/event.ts";
import { updateRecord } from "../../../kernel/record-events.ts";
import { serviceKey } from "../../../kernel/service.ts";
import { alertEvents } from "../events.ts";
import { type AlertReport, isMetrics, type JsonObject, readReports } from "../payload/index.ts";
import {
  type AlertIntegrationRecord,
  type AlertPayloadRecord,
  type AlertRecord,
  alertKey,
  alertPayloads,
  alerts,
} from "../records.ts";
import { closeIncident, openIncidentAutomatically } from "../service-incidents.ts";
import { alertReceiversOf, mailAlert } from "../service-mails.ts";
import { alertSettingsOf } from "../settings/service.ts";
import { writePayloads } from "./stored-payloads.ts";

/** Alerts that a request made, counted up or resolved: in order, each once. */
export type IngestResult = readonly { readonly iid: number; readonly title: string }[];

/** The project and integration that received a payload. */
export interface AlertDelivery {
  readonly project: ProjectRecord;
  /** undefined: none is meant, and nothing maps the fields. */
  readonly integration: AlertIntegrationRecord | undefined;
  /** Asked again in each transaction: throws what the request would be refused with by then. */
  readonly confirm: () => unknown;
  readonly baseUrl: string;
}

/** A delivery with the users who get its mails now. */
interface MailedDelivery extends AlertDelivery {
  readonly receivers: readonly number[];
}

/** Alerts and mails that one transaction may write, so that payloads with thousands of alerts delay no other request for long. */
const writesMax = 50;
/** Characters of the texts that one transaction writes. */
const charactersMax = 1 << 20;
/** Payloads that arrive together write in turn. */
export const AlertIngestion = serviceKey("alert-ingestion", () => new OneAtATime());

/** Creates or updates the alerts of a payload (alerts A.6). Throws 400 for one that it cannot use. */
export async function ingestAlerts(
  context: Context,
  arrival: AlertDelivery,
  payload: JsonObject,
): Promise<IngestResult> {
  const reports = reportsOf(context, arrival, payload);
  const isOne = !isMetrics(payload);
  const found = new Map<number, { iid: number; title: string }>();
  const reportsMax = Math.ceil(writesMax / (1 + receiversOf(context, arrival.project).length));
  for (const part of partsOf(context, arrival.project, reports, reportsMax)) {
    const stored = await writePayloads(
      context,
      arrival.project.id,
      part.filter((report) => report.ended_at === null && findOpen(context, arrival.project, report) === undefined),
    );
    try {
      // The reports are limited by the payload, and a part of them is short: none is refused in the middle.
      await context.get(AlertIngestion).run(() =>
        withoutLimit(() =>
          context.store.transact((tx) => {
            arrival.confirm();
            const receivers = receiversOf(context, arrival.project);
            for (const report of part) {
              const alert = ingestReport(tx, context, { ...arrival, receivers }, report, stored.of(report));
              if (alert === undefined && isOne) throw invalid("400 Bad Request");
              if (alert !== undefined) found.set(alert.id, { iid: alert.iid, title: alert.title });
            }
          }),
        ),
      );
    } finally {
      stored.release();
    }
  }
  return [...found.values()];
}

/** Splits the reports into parts, one for each transaction. A part of several reports has at most a mebibyte of texts. */
function* partsOf(
  context: Context,
  project: ProjectRecord,
  reports: readonly AlertReport[],
  reportsMax: number,
): Generator<AlertReport[]> {
  let part: AlertReport[] = [];
  let characters = 0;
  for (const report of reports) {
    // An alert that is open already is written whole, however short the report is.
    const length = charactersOf(findOpen(context, project, report) ?? report);
    if (part.length > 0 && (part.length >= reportsMax || characters + length > charactersMax)) {
      yield part;
      part = [];
      characters = 0;
    }
    part.push(report);
    characters += length;
  }
  if (part.length > 0) yield part;
}

function charactersOf(texts: object): number {
  return Object.values(texts).reduce((sum, text) => sum + (typeof text === "string" ? text.length : 0), 0);
}

/** Users who get a mail of each alert. */
function receiversOf(context: Context, project: ProjectRecord): readonly number[] {
  return alertSettingsOf(context, project).send_email ? alertReceiversOf(context, project) : [];
}

function reportsOf(
  context: Context,
  { project, integration }: AlertDelivery,
  payload: JsonObject,
): readonly AlertReport[] {
  const { edition } = context;
  const features = context.get(Features);
  const isPaid = includesTier(edition, "premium");
  const areWanted = () => features.isEnabled("generic_alert_fingerprints", { type: "Project", id: project.id });
  const reports = readReports(payload, {
    now: toDateTime(context.clock.now()),
    areFingerprintsMade: isPaid && areWanted(),
    mappings: Map.groupBy(
      isPaid ? (integration?.payload_attribute_mappings ?? []) : [],
      ({ field_name }) => field_name,
    ),
  });
  if (reports === undefined) throw invalid("400 Bad Request");
  return reports;
}

function findOpen({ store }: Context, project: ProjectRecord, { fingerprint }: AlertReport): AlertRecord | undefined {
  if (fingerprint === null) return undefined;
  const id = store.of(alerts).by.open_identity.find(alertKey(project.id, fingerprint));
  return id === undefined ? undefined : store.of(alerts).get(id);
}

/** The alert that the report is about; undefined: the end of an unknown problem. */
function ingestReport(
  tx: Transaction,
  context: Context,
  arrival: MailedDelivery,
  report: AlertReport,
  payload: Omit<AlertPayloadRecord, "id">,
): AlertRecord | undefined {
  const open = findOpen(context, arrival.project, report);
  if (report.ended_at !== null) return open && recover(tx, context, arrival, open, report.ended_at);
  if (open === undefined) return insertAlert(tx, context, arrival, report, payload);
  const updated_at = toDateTime(context.clock.now());
  const again = { ...open, event_count: open.event_count + 1, updated_at };
  return updateRecord(tx, context, theServer, alertEvents, again);
}

function insertAlert(
  tx: Transaction,
  context: Context,
  { project, integration, baseUrl, receivers }: MailedDelivery,
  { payload: _sent, ...report }: AlertReport,
  payload: Omit<AlertPayloadRecord, "id">,
): AlertRecord {
  const now = toDateTime(context.clock.now());
  const made = tx.insert(alerts, {
    ...report,
    id: tx.nextId("alerts"),
    iid: nextAlertIid(tx, project.id),
    project_id: project.id,
    status: "triggered",
    event_count: 1,
    assignee_id: null,
    issue_id: null,
    integration_id: integration?.id ?? null,
    created_at: now,
    updated_at: now,
  });
  tx.insert(alertPayloads, { id: made.id, ...payload });
  const isOpened = alertSettingsOf(context, project).create_issue;
  const alert = isOpened ? openIncidentAutomatically(tx, context, project, made, baseUrl) : made;
  publish(tx, context, alertEvents.created, { caller: theServer, before: undefined, after: alert });
  mailAlert(tx, context, project, alert, receivers);
  return alert;
}

/** Returns the next number of an alert; each project counts from 1. */
export function nextAlertIid(tx: Transaction, projectId: number): number {
  return tx.nextId(`alerts of project ${projectId}`);
}

function recover(
  tx: Transaction,
  context: Context,
  { project, receivers }: MailedDelivery,
  open: AlertRecord,
  ended_at: string,
): AlertRecord {
  const updated_at = toDateTime(context.clock.now());
  const resolved = { ...open, status: "resolved", ended_at, updated_at } as const;
  const alert = updateRecord(tx, context, theServer, alertEvents, resolved);
  if (alertSettingsOf(context, project).auto_close_incident) closeIncident(tx, context, alert);
  mailAlert(tx, context, project, alert, receivers);
  return alert;
}
