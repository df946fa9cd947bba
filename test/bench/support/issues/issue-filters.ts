import type { IssueFilters } from "../../../../src/modules/planning/issues/index.ts";

type Ask = (turn: number) => IssueFilters;

const day = (n: number) => new Date(Date.UTC(2020, 0, 1) + n * 86_400_000).toISOString();
const someone = (turn: number) => 2 + ((turn * 37) % 400);
const labels = ["bug", "feature", "backend", "design", "wontfix"];

/** Every filter of issue-statistics but `search` and `in`; each turn of a few asks for something else. */
export const filters: Readonly<Record<string, Ask>> = {
  labels: (turn) => ({ labels: [labels[turn % 5] as string] }),
  "labels, two": () => ({ labels: ["bug", "feature"] }),
  "labels=None": () => ({ labels: ["None"] }),
  milestone: (turn) => ({ milestone: `v${1 + (turn % 3)}.${turn % 10}` }),
  "milestone=None": () => ({ milestone: "None" }),
  "milestone_id=Started": () => ({ milestone_id: "Started" }),
  "milestone_id=Upcoming": () => ({ milestone_id: "Upcoming" }),
  author_id: (turn) => ({ author_id: someone(turn) }),
  assignee_id: (turn) => ({ assignee_id: someone(turn) }),
  "assignee_id=None": () => ({ assignee_id: "none" }),
  "assignee_id=Any": () => ({ assignee_id: "any" }),
  epic_id: (turn) => ({ epic_id: 1 + (turn % 500) }),
  "epic_id=Any": () => ({ epic_id: "any" }),
  my_reaction_emoji: () => ({ my_reaction_emoji: "thumbsup" }),
  "my_reaction_emoji=None": () => ({ my_reaction_emoji: "None" }),
  iids: (turn) => ({ iids: [1 + (turn % 50), 60, 70] }),
  created_after: (turn) => ({ created_after: day(300 + (turn % 100)) }),
  created_before: (turn) => ({ created_before: day(900 + (turn % 100)) }),
  updated_after: (turn) => ({ updated_after: day(1_000 + (turn % 100)) }),
  updated_before: (turn) => ({ updated_before: day(1_600 + (turn % 100)) }),
  "confidential=true": () => ({ confidential: true }),
  "confidential=false": () => ({ confidential: false }),
  weight: (turn) => ({ weight: turn % 10 }),
  "not[labels]": (turn) => ({ not: { labels: [labels[turn % 5] as string] } }),
  "not[author_id]": (turn) => ({ not: { author_id: someone(turn) } }),
  "not[milestone]": (turn) => ({ not: { milestone: `v${1 + (turn % 3)}.${turn % 10}` } }),
  "scope=created_by_me": () => ({ scope: "created_by_me" }),
  "scope=assigned_to_me": () => ({ scope: "assigned_to_me" }),
};

/** Parameters that cannot be combined: the same parameter twice, or two that exclude each other. */
const families: readonly (readonly string[])[] = [
  ["milestone", "milestone=None", "milestone_id=Started", "milestone_id=Upcoming"],
  ["not[labels]", "not[author_id]", "not[milestone]"],
];
const parameterOf = (name: string) => (name.split(/[=,]/, 1)[0] as string).replace("milestone_id", "milestone");

function mayBePaired(one: string, other: string): boolean {
  if (parameterOf(one) === parameterOf(other)) return false;
  return !families.some((family) => family.includes(one) && family.includes(other));
}

/** Nothing, each filter, and each pair of them. */
export function questions(): Map<string, Ask> {
  const all = new Map<string, Ask>([["(none)", () => ({})]]);
  const entries = Object.entries(filters);
  for (const [name, ask] of entries) all.set(name, ask);
  for (const [place, [name, ask]] of entries.entries()) {
    for (const [other, askOther] of entries.slice(place + 1)) {
      if (mayBePaired(name, other)) all.set(`${name} & ${other}`, (turn) => ({ ...ask(turn), ...askOther(turn) }));
    }
  }
  return all;
}

/** Searches that find less than one issue in a hundred. */
export const selectiveSearches: Readonly<Record<string, Ask>> = {
  "one issue": (turn) => ({ search: `in cache ${(90_000 + turn).toString(36)}` }),
  "a part of a few": (turn) => ({ search: (400_000 + turn * 37).toString(36).slice(0, 3).concat("a") }),
  "a phrase": () => ({ search: '"slow query menu broken"' }),
  "nothing there": (turn) => ({ search: `zebra${turn}` }),
  "in the title": (turn) => ({ search: (500_000 + turn * 41).toString(36), in: "title" }),
};

/** These find one in a hundred to nearly all. */
export const wideSearches: Readonly<Record<string, Ask>> = {
  "a word of one in 35, in the title": () => ({ search: "cache", in: "title" }),
  "two words": () => ({ search: "cache timeout" }),
  "three words": () => ({ search: "login slow export" }),
  "one word": () => ({ search: "upgrade" }),
  "a letter": () => ({ search: "e" }),
  "a word and a label": () => ({ search: "invoice", labels: ["bug"] }),
};

/** A member of a few groups and projects who wrote some. */
export const memberId = 20;
export const places = { group: 3, project: 1 } as const;
