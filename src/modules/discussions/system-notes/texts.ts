/** The texts of system notes about a change, for all kinds of things that have notes. */

import diff from "fast-diff";
import { dayMs, toLongDate } from "../../../lib/datetime.ts";
import type { IssueRecord, Severity } from "../../planning/issues/records.ts";

/** The attributes that system notes report; a kind of thing leaves out those that it does not have. */
export type NotedState = Partial<
  Pick<
    IssueRecord,
    | "title"
    | "description"
    | "state"
    | "confidential"
    | "discussion_locked"
    | "issue_type"
    | "severity"
    | "start_date"
    | "due_date"
    | "weight"
    | "health_status"
    | "time_estimate"
    | "total_time_spent"
    | "milestone_id"
    | "assignee_ids"
    | "label_ids"
  >
>;

const severityNames: Readonly<Record<Severity, string>> = {
  unknown: "Unknown",
  low: "Low - S4",
  medium: "Medium - S3",
  high: "High - S2",
  critical: "Critical - S1",
};

/** `issue`, `test case`: the kind of a thing in a sentence. */
export function nounOf(type: string): string {
  return type.replaceAll("_", " ");
}

/** `changed title from **{-Old-} title** to **{+New+} title**`. */
export function titleText(before: string, after: string): string {
  const parts = diff(before, after, undefined, true);
  const marked = (kind: 1 | -1, [open, close]: readonly [string, string]) =>
    parts.map(([change, text]) => (change === 0 ? text : change === kind ? `${open}${text}${close}` : "")).join("");
  return `changed title from **${marked(-1, ["{-", "-}"])}** to **${marked(1, ["{+", "+}"])}**`;
}

export function severityText(severity: Severity): string {
  return `changed the severity to **${severityNames[severity]}**`;
}

/** `changed start date to May 2, 2024 and removed due date May 9, 2024`; undefined: no date has changed. */
export function datesText(before: NotedState, after: NotedState): string | undefined {
  const parts = (["start_date", "due_date"] as const).flatMap((field) => {
    const [from = null, to = null] = [before[field], after[field]];
    const name = nounOf(field);
    if (from === to) return [];
    return to === null ? [`removed ${name} ${toLongDate(from ?? "")}`] : [`changed ${name} to ${toLongDate(to)}`];
  });
  return parts.length === 0 ? undefined : parts.join(" and ");
}

/** `assigned to @mia and unassigned @gus`. */
export function addedAndRemoved(
  [added, removed]: readonly [readonly string[], readonly string[]],
  [adding, removing]: readonly [string, string],
): string {
  const parts = [
    ...(added.length === 0 ? [] : [`${adding} ${sentenceOf(added)}`]),
    ...(removed.length === 0 ? [] : [`${removing} ${sentenceOf(removed)}`]),
  ];
  return parts.join(" and ");
}

/** `added ~1 ~2 labels and removed ~3 label`. */
export function labelsText(added: readonly number[], removed: readonly number[]): string {
  const list = (ids: readonly number[]) =>
    `${ids.map((id) => `~${id}`).join(" ")} ${ids.length === 1 ? "label" : "labels"}`;
  const parts = [
    ...(added.length === 0 ? [] : [`added ${list(added)}`]),
    ...(removed.length === 0 ? [] : [`removed ${list(removed)}`]),
  ];
  return parts.join(" and ");
}

/** `a`, `a and b`, `a, b, and c`. */
export function sentenceOf(words: readonly string[]): string {
  if (words.length < 3) return words.join(" and ");
  return `${words.slice(0, -1).join(", ")}, and ${words.at(-1)}`;
}

/** The ids that a change adds, and those that it removes. */
export function differenceOf(
  before: readonly number[] = [],
  after: readonly number[] = [],
): readonly [added: number[], removed: number[]] {
  return [after.filter((id) => !before.includes(id)), before.filter((id) => !after.includes(id))];
}

/** Whether a day is today, by the clock of the server. */
export function isToday(day: string, now: number): boolean {
  return Math.floor(Date.parse(day) / dayMs) === Math.floor(now / dayMs);
}
