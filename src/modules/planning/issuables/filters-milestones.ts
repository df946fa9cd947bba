/** The conditions about milestones. */

import type { Context } from "../../kernel/context.ts";
import { milestones } from "../milestones/records.ts";
import { carriersOf, mergedInto, withoutMilestone } from "../pending-unlinks/index.ts";
import { type MilestoneTime, MilestoneTimes } from "./milestone-times.ts";
import { type Issuable, type IssuableCollection, type IssuableCondition, matchNone } from "./records.ts";

import { noneOrAny } from "./search-words.ts";

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
export function whereMilestone<T extends Issuable>(
  context: Context,
  collection: IssuableCollection<T>,
  title: string,
): IssuableCondition {
  const word = wordOf(title);
  if (word !== undefined) return whereMilestoneOfWord(context, collection, word);
  const ids = [...context.store.of(milestones).by.title.find(title)];
  return ids.length === 0 ? matchNone : carriersOf(context.store, "milestone", ids);
}

/** `milestone_id=Started`. */
export function whereMilestoneOfWord<T extends Issuable>(
  context: Context,
  collection: IssuableCollection<T>,
  word: Word,
): IssuableCondition {
  if (word === "None") return withoutMilestone(context.store, collection);
  if (word === "Any") return { not: withoutMilestone(context.store, collection) };
  return ofTime(context, collection, word === "Started" ? "started" : "upcoming");
}

/** `not[milestone]=T`: things without a milestone stay. */
export function whereOtherMilestone<T extends Issuable>(
  context: Context,
  collection: IssuableCollection<T>,
  title: string,
): IssuableCondition {
  const word = wordOf(title);
  return word === undefined
    ? { not: whereMilestone(context, collection, title) }
    : whereOtherMilestoneOfWord(context, collection, word);
}

/** `not[milestone_id]=Started`: an active milestone of the other kind is asked for, so things without one go. */
export function whereOtherMilestoneOfWord<T extends Issuable>(
  context: Context,
  collection: IssuableCollection<T>,
  word: Word,
): IssuableCondition {
  if (word === "None") return { not: withoutMilestone(context.store, collection) };
  if (word === "Any") return withoutMilestone(context.store, collection);
  return ofTime(context, collection, word === "Started" ? "not_started" : "due");
}

/** Finds things with either milestone while one is being merged into another. */
function ofTime<T extends Issuable>(
  context: Context,
  collection: IssuableCollection<T>,
  time: MilestoneTime,
): IssuableCondition {
  const milestoneTimes = context.get(MilestoneTimes).of(collection);
  const own: IssuableCondition = { ids: milestoneTimes.of(time) };
  const merged = mergedInto(context.store, "milestone").filter(({ into_id }) => milestoneTimes.has(time, into_id));
  if (merged.length === 0) return own;
  return {
    anyOf: [own, ...merged.map(({ deleted_id }): IssuableCondition => ({ index: "milestone_id", key: deleted_id }))],
  };
}
