/** The reader of Prometheus payloads. */

import { spend } from "../../../../domain/work-budget.ts";
import { fingerprintOf, givenFingerprint } from "./fingerprint.ts";
import { canonical, isObject, type JsonObject, member, objectMember } from "./json.ts";
import { mappedValue } from "./mapped.ts";
import { type AlertReport, environmentAlias, type MappedField, type Reading } from "./report.ts";
import { severityMeant } from "./severity.ts";
import {
  descriptionLengthMax,
  endOf,
  hostsOf,
  nameLengthMax,
  startOf,
  textOf,
  titleLengthMax,
  truncate,
  truncateOrNull,
} from "./values.ts";

/** Steps of an item, whatever is in it. */
const itemSteps = 300;
const envelope = [
  ...["version", "groupKey", "status", "receiver", "groupLabels", "commonLabels", "commonAnnotations", "externalURL"],
  "alerts",
];

/** All nine members of version 4; anything else is a generic payload (alerts A.3). */
export function isMetrics(payload: JsonObject): boolean {
  return payload.version === "4" && envelope.every((name) => Object.hasOwn(payload, name));
}

/** One report for each item that has what it takes, in their order; undefined when there is no list of items. */
export function readMetrics(payload: JsonObject, reading: Reading): AlertReport[] | undefined {
  const items = member(payload, "alerts");
  if (!Array.isArray(items)) return undefined;
  return items
    .map((item) => (isObject(item) ? readItem(item, reading) : undefined))
    .filter((each) => each !== undefined);
}

/** undefined: without a title or a start, it is no alert (alerts A.5). */
function readItem(item: JsonObject, reading: Reading): AlertReport | undefined {
  spend(itemSteps, "input");
  const [labels, annotations] = [objectMember(item, "labels"), objectMember(item, "annotations")];
  const mapped = (field: MappedField) => mappedValue(item, reading.mappings, field);
  const ownTitle =
    textOf(member(annotations, "title")) ??
    textOf(member(annotations, "summary")) ??
    textOf(member(labels, "alertname"));
  const title = textOf(mapped("title")) ?? ownTitle;
  const startsAt = textOf(mapped("start_time")) ?? textOf(member(item, "startsAt"));
  if (title === undefined || startsAt === undefined) return undefined;
  const metric_query = queryOf(member(item, "generatorURL"));
  const fingerprint = givenFingerprint(mapped("fingerprint") ?? member(item, "fingerprint"));
  const identity = fingerprint === undefined ? [title, metric_query ?? "", canonical(labels)] : [fingerprint];
  return {
    title: truncate(title, titleLengthMax),
    description: truncateOrNull(mapped("description") ?? member(annotations, "description"), descriptionLengthMax),
    severity: severityMeant(textOf(mapped("severity")) ?? textOf(member(labels, "severity"))),
    service: truncateOrNull(mapped("service"), nameLengthMax),
    monitoring_tool: truncateOrNull(mapped("monitoring_tool"), nameLengthMax) ?? "Prometheus",
    hosts: hostsOf(mapped("hosts")),
    environment_name:
      textOf(mapped("service_environment_name")) ??
      textOf(member(labels, "service_environment_name")) ??
      textOf(member(labels, environmentAlias)) ??
      null,
    runbook: textOf(member(annotations, "runbook")) ?? null,
    started_at: startOf(startsAt) ?? reading.now,
    ended_at: recoveryOf(item, mapped("end_time") ?? member(item, "endsAt"), reading),
    fingerprint: fingerprintOf([startsAt, ...identity].join("/")),
    metric_query,
    y_label: eitherOf(annotations, "service_y_label", "gitlab_y_label") ?? ownTitle ?? title,
    incident_markdown: eitherOf(annotations, "service_incident_markdown", "gitlab_incident_markdown") ?? null,
    payload: item,
  };
}

function eitherOf(object: JsonObject, name: string, alias: string): string | undefined {
  return textOf(member(object, name)) ?? textOf(member(object, alias));
}

/** `endsAt` of a firing item only says when it is forgotten without another word, so the status decides. */
function recoveryOf(item: JsonObject, endsAt: unknown, { now }: Reading): string | null {
  const status = textOf(member(item, "status"))?.toLowerCase();
  const end = endOf(endsAt);
  if (status === "resolved") return end ?? now;
  return status === undefined && end !== undefined && end <= now ? end : null;
}

/** `g0.expr` of the page that shows the rule; null: none. */
function queryOf(generatorUrl: unknown): string | null {
  const url = textOf(generatorUrl);
  if (url === undefined || !URL.canParse(url)) return null;
  return textOf(new URL(url).searchParams.get("g0.expr")) ?? null;
}
