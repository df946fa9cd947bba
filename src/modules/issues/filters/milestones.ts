import { dayMs, toCalendarDate } from "../../../domain/datetime.ts";
import { sourceKey } from "../../access/index.ts";
import type { Context } from "../../context.ts";
import { carriersOf, withoutMilestone } from "../../departures/index.ts";
import { type MilestoneRecord, milestones, placesAbove } from "../../tracker/index.ts";
import { type IssueCondition, type IssueScope, nobody } from "./scope.ts";
import { noneOrAny } from "./words.ts";

type Word = "None" | "Any" | "Upcoming" | "Started";

/** Words that stand for no title; older clients send the long ones. */
const titleWords: Readonly<Record<string, Word>> = {
  "No Milestone": "None",
  "Any Milestone": "Any",
  "#upcoming": "Upcoming",
  "#started": "Started",
};

function wordOf(title: string): Word | undefined {
  const word = noneOrAny(title);
  if (word !== undefined) return word === "none" ? "None" : "Any";
  return Object.hasOwn(titleWords, title) ? titleWords[title] : undefined;
}

/** `milestone=T`, words included. Milestones of projects and groups may share a title. */
export function hasMilestone(context: Context, title: string, scope: IssueScope): IssueCondition {
  const word = wordOf(title);
  if (word !== undefined) return hasMilestoneOfWord(context, word, scope);
  return inAny(context, [...context.store.of(milestones).by.title.find(title)]);
}

/** `milestone_id=Started`. */
export function hasMilestoneOfWord(context: Context, word: Word, scope: IssueScope): IssueCondition {
  if (word === "None") return withoutMilestone(context.store);
  if (word === "Any") return { not: withoutMilestone(context.store) };
  const tomorrow = dayAfter(context);
  const { today } = context.access;
  return word === "Started"
    ? inAny(
        context,
        active(context, scope, "start_date", undefined, today).map(({ id }) => id),
      )
    : inAny(context, nearest(active(context, scope, "due_date", tomorrow, lastDay)));
}

/** `not[milestone]=T`: issues without a milestone stay. */
export function lacksMilestone(context: Context, title: string, scope: IssueScope): IssueCondition {
  const word = wordOf(title);
  return word === undefined ? { not: hasMilestone(context, title, scope) } : lacksMilestoneOfWord(context, word, scope);
}

/** `not[milestone_id]=Started`: an active milestone of the other kind is asked for, so issues without one go. */
export function lacksMilestoneOfWord(context: Context, word: Word, scope: IssueScope): IssueCondition {
  if (word === "None") return { not: withoutMilestone(context.store) };
  if (word === "Any") return withoutMilestone(context.store);
  const { today } = context.access;
  const found =
    word === "Started"
      ? active(context, scope, "start_date", dayAfter(context), lastDay)
      : active(context, scope, "due_date", undefined, today);
  return inAny(
    context,
    found.map(({ id }) => id),
  );
}

/** The last day that a milestone can have: later ones stand for none. */
const lastDay = "9999-12-30";

function dayAfter({ clock }: Context): string {
  return toCalendarDate(clock.now() + dayMs);
}

function active(
  { store }: Context,
  scope: IssueScope,
  order: "start_date" | "due_date",
  from: string | undefined,
  to: string,
): MilestoneRecord[] {
  const documents = store.of(milestones);
  const isWanted = (milestone: MilestoneRecord | undefined): milestone is MilestoneRecord => {
    const date = milestone?.[order] ?? undefined;
    return milestone?.state === "active" && date !== undefined && (from === undefined || date >= from) && date <= to;
  };
  const ids =
    typeof scope === "object" && "project" in scope
      ? placesAbove(store, scope.project).flatMap((place) => [...documents.by.source.find(sourceKey(place))])
      : [...documents.by[order].between(from, to)];
  return ids.map((id) => documents.get(id)).filter(isWanted);
}

/** Of each project and each group the one that is due first, or those that are due on that day. */
function nearest(found: readonly MilestoneRecord[]): number[] {
  const first = new Map<string, string>();
  for (const milestone of found) {
    const key = sourceOf(milestone);
    const date = milestone.due_date as string;
    if (date < (first.get(key) ?? lastDay)) first.set(key, date);
  }
  return found.filter((each) => each.due_date === (first.get(sourceOf(each)) ?? lastDay)).map(({ id }) => id);
}

function sourceOf({ source_type, source_id }: MilestoneRecord): string {
  return sourceKey({ type: source_type, id: source_id });
}

function inAny({ store }: Context, ids: readonly number[]): IssueCondition {
  return ids.length === 0 ? nobody : carriersOf(store, "milestone", ids);
}
