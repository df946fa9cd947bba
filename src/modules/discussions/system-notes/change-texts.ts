/** The system notes of one change, in the order in which they are written. */

import { formatDuration } from "../../../lib/text/durations.ts";
import type { Store } from "../../../store/index.ts";
import { findUser } from "../../core/users/index.ts";
import { tasksOf } from "../../planning/issuables/index.ts";
import { milestones } from "../../planning/milestones/records.ts";
import type { SpentTime } from "../../planning/time-tracking/index.ts";
import {
  addedAndRemoved,
  datesText,
  differenceOf,
  isToday,
  labelsText,
  type NotedState,
  nounOf,
  severityText,
  titleText,
} from "./texts.ts";

/** A thing that is created or changed; `before` is undefined for a new one. */
export interface NotedChange {
  /** `issue`, `test case`. */
  readonly noun: string;
  readonly before: NotedState | undefined;
  readonly after: NotedState;
  readonly spent?: SpentTime | undefined;
}

/** The texts of the notes about a change. A new thing has those about its dates, milestone, labels and assignees alone. */
export function textsOfChange(store: Store, change: NotedChange, now: number): string[] {
  const { before = {}, after } = change;
  const texts = [
    ...(change.before === undefined ? [] : writingTexts(change.before, change)),
    datesText(before, after),
    ...(change.before === undefined ? [] : trackingTexts(change.before, change, now)),
    milestoneText(store, before, after),
    labelsText(...differenceOf(before.label_ids, after.label_ids)),
    addedAndRemoved(namesOf(store, differenceOf(before.assignee_ids, after.assignee_ids)), [
      "assigned to",
      "unassigned",
    ]),
  ];
  return texts.filter((text) => text !== undefined && text !== "") as string[];
}

function* writingTexts(before: NotedState, { noun, after }: NotedChange): Generator<string> {
  if (before.title !== after.title) yield titleText(before.title ?? "", after.title ?? "");
  if (before.description !== after.description) yield* descriptionTexts(before.description, after.description);
  if ((before.discussion_locked ?? false) !== (after.discussion_locked ?? false)) {
    yield `${after.discussion_locked ? "locked" : "unlocked"} the discussion in this ${noun}`;
  }
  if (before.state !== after.state) yield after.state === "closed" ? "closed" : "reopened";
  if (before.confidential !== after.confidential) {
    yield after.confidential ? `made the ${noun} confidential` : `made the ${noun} visible to everyone`;
  }
  if (before.issue_type !== after.issue_type) {
    yield `changed type from ${nounOf(before.issue_type ?? "")} to ${nounOf(after.issue_type ?? "")}`;
  }
  if (before.severity !== after.severity && after.severity !== undefined) yield severityText(after.severity);
  if (before.weight !== after.weight) {
    yield after.weight == null ? "removed the weight" : `set weight to **${after.weight}**`;
  }
  if ((before.health_status ?? null) !== (after.health_status ?? null)) {
    yield healthText(before.health_status, after.health_status);
  }
}

function healthText(from: NotedState["health_status"] = null, to: NotedState["health_status"] = null): string {
  const words = (to ?? from ?? "").replaceAll("_", " ");
  return to === null ? `removed health status **${words}**` : `changed health status to **${words}**`;
}

/** Check boxes that are ticked are reported by their own texts, any other change of a description as such. */
function* descriptionTexts(before: string | null = null, after: string | null = null): Generator<string> {
  const former = [...tasksOf(before)];
  let ticked = 0;
  for (const [at, { text, isCompleted }] of [...tasksOf(after)].entries()) {
    const task = former[at];
    if (task === undefined || task.text !== text || task.isCompleted === isCompleted) continue;
    if (ticked === tickedMax) return;
    ticked += 1;
    yield `marked the checklist item **${text}** as ${isCompleted ? "completed" : "incomplete"}`;
  }
  if (ticked === 0) yield "changed the description";
}

/** One change of a description writes no more notes about check boxes. */
const tickedMax = 100;

function* trackingTexts(before: NotedState, { after, spent }: NotedChange, now: number): Generator<string> {
  if (before.time_estimate !== after.time_estimate) {
    const estimate = formatDuration(after.time_estimate ?? 0);
    yield estimate === null ? "removed time estimate" : `changed time estimate to ${estimate}`;
  }
  if (spent !== undefined && spent.seconds !== 0) {
    const verb = spent.seconds > 0 ? "added" : "subtracted";
    const on = isToday(spent.day, now) ? "" : ` at ${spent.day}`;
    yield `${verb} ${formatDuration(Math.abs(spent.seconds))} of time spent${on}`;
  } else if (before.total_time_spent !== after.total_time_spent) yield "removed time spent";
}

/** A milestone of a project is named by its number, one of a group by its title. */
function milestoneText(store: Store, before: NotedState, after: NotedState): string | undefined {
  const [from = null, to = null] = [before.milestone_id, after.milestone_id];
  if (from === to) return undefined;
  const milestone = to === null ? undefined : store.of(milestones).get(to);
  if (milestone === undefined) return "removed milestone";
  const { source_type, iid, title } = milestone;
  return `changed milestone to %${source_type === "project" ? iid : `"${title}"`}`;
}

function namesOf(store: Store, [added, removed]: ReturnType<typeof differenceOf>): readonly [string[], string[]] {
  const names = (ids: readonly number[]) =>
    ids.map((id) => findUser(store, id)?.username).flatMap((name) => (name === undefined ? [] : [`@${name}`]));
  return [names(added), names(removed)];
}
