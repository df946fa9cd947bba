/** The labels, milestones, users and dates that the arguments of quick actions name. */

import { spend } from "../../../domain/work-budget.ts";
import { type CalendarDate, parseCalendarDate } from "../../../lib/datetime.ts";
import { sourcesAbove } from "../../core/access/index.ts";
import { findUserByUsername } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import { findLabel } from "../labels/index.ts";
import { type LabelRecord, labels, titleKey } from "../labels/records.ts";
import { type MilestoneRecord, milestones } from "../milestones/records.ts";
import { type ActionTarget, UnusableArgument } from "./action.ts";

const usersMax = 100;
const labelsMax = 100;
/** The longest text that is read as a date. The time grows faster than its length, and with each space more. */
const dateTextMax = 60;
/** Steps of reading the slowest of these texts. */
const dateTextSteps = 1_000_000;
const stepsPerLabelLookUp = 30;

const labelReference = /~(?:"([^"\n]+)"|([^\s~",]+))/g;
const word = /"([^"]+)"|(\S+)/g;

/** The labels of `~bug ~"two words" ~12`, or of `bug "two words"`, that things in the project may have. */
export function labelsNamed({ context: { store }, project }: ActionTarget, argument: string): LabelRecord[] {
  const sources = sourcesAbove(store, project);
  const named = new Map<string, RegExpExecArray>();
  for (const match of argument.matchAll(argument.includes("~") ? labelReference : word)) {
    if (named.size === labelsMax) break;
    named.set(match[0], match);
  }
  spend(named.size * sources.length * stepsPerLabelLookUp);
  const found = new Map<number, LabelRecord>();
  for (const [, quoted, plain = ""] of named.values()) {
    const label = quoted === undefined ? labelOfId(Number(plain)) : undefined;
    const id = label?.id ?? findLabel(store, sources, quoted ?? plain);
    const record = id === undefined ? undefined : store.of(labels).get(id);
    if (record !== undefined) found.set(record.id, record);
  }
  return [...found.values()];

  function labelOfId(id: number): LabelRecord | undefined {
    const label = Number.isSafeInteger(id) ? store.of(labels).get(id) : undefined;
    return sources.some(({ type, id: sourceId }) => label?.source_type === type && label.source_id === sourceId)
      ? label
      : undefined;
  }
}

/** Whether there are labels that things in the project may have. */
export function hasLabels({ context: { store }, project }: ActionTarget): boolean {
  const { source } = store.of(labels).by;
  return sourcesAbove(store, project).some(({ type, id }) => source.find(`${type} ${id}`).size > 0);
}

/** `~"bug" ~"two words" labels`. */
export function labelList(found: readonly Pick<LabelRecord, "id" | "title">[]): string {
  const names = found.map(({ id, title }) => (title.includes('"') ? `~${id}` : `~"${title}"`));
  return `${names.join(" ")} ${names.length === 1 ? "label" : "labels"}`;
}

/** The milestone of `%"two words"`, `%1.0`, `%3` by its number in the project, or a title alone. */
export function milestoneNamed(
  { context: { store }, project }: ActionTarget,
  argument: string,
): MilestoneRecord | undefined {
  const documents = store.of(milestones);
  const [, quoted, plain] = /^%(?:"([^"]+)"|(\S+))$/.exec(argument) ?? [];
  const title = quoted ?? plain ?? argument;
  const sources = sourcesAbove(store, project);
  const byNumber =
    plain !== undefined && /^\d{1,9}$/.test(plain) ? `project ${project.id} ${Number(plain)}` : undefined;
  const ids = [
    byNumber === undefined ? undefined : documents.by.iid.find(byNumber),
    ...sources.map((source) => documents.by.title_in_source.find(titleKey(source, title))),
  ];
  const id = ids.find((each) => each !== undefined);
  return id === undefined ? undefined : documents.get(id);
}

export function milestoneReference({ iid, title }: MilestoneRecord): string {
  return title.includes('"') ? `%${iid}` : `%"${title}"`;
}

/** The users of `@a, b and me`. Throws `UnusableArgument` for an unknown one, and for too many. */
export function usersNamed({ context: { store }, caller }: ActionTarget, argument: string): UserRecord[] {
  const words = new Set(argument.split(/[\s,]+/).filter((each) => each !== "" && each !== "and"));
  if (words.size > usersMax) {
    throw new UnusableArgument(`Too many references. Quick actions are limited to at most ${usersMax} user references`);
  }
  const missing: string[] = [];
  const found = new Map<number, UserRecord>();
  for (const name of words) {
    const username = name === "me" ? caller.user.username : name.replaceAll("\\_", "_").replace(/^@/, "");
    const user = findUserByUsername(store, username);
    if (user === undefined) missing.push(`'${name}'`);
    else found.set(user.id, user);
  }
  if (missing.length > 0) throw new UnusableArgument(`Failed to find users for ${sentenceOf(missing)}`);
  return [...found.values()];
}

/** `2024-05-09`, `tomorrow`, `in 2 days`, `this Friday`, `December 31st`, in UTC. */
export function dayNamed(argument: string, now: number): CalendarDate | undefined {
  const text = argument.replaceAll(/\s+/g, " ");
  const written = parseCalendarDate(text);
  if (written !== undefined || text.length > dateTextMax) return written;
  spend(dateTextSteps, "input");
  // The first call loads it, so that the start does not wait for it.
  const chrono = require("chrono-node/en") as typeof import("chrono-node/en");
  const reference = { instant: new Date(now), timezone: 0 };
  const [found] = chrono.parse(text, reference, { forwardDate: true });
  if (found === undefined) return undefined;
  const [year, month, day] = [found.start.get("year"), found.start.get("month"), found.start.get("day")];
  const padded = [String(year).padStart(4, "0"), String(month).padStart(2, "0"), String(day).padStart(2, "0")];
  return parseCalendarDate(padded.join("-"));
}

/** `a`, `a and b`, `a, b, and c`. */
export function sentenceOf(words: readonly string[]): string {
  if (words.length < 3) return words.join(" and ");
  return `${words.slice(0, -1).join(", ")}, and ${words.at(-1)}`;
}
