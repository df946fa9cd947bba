import { type Static, type TProperties, Type } from "@sinclair/typebox";
import {
  boolean,
  dateTime,
  hash,
  integer,
  integerNoneOrAny,
  list,
  mutuallyExclusive,
  oneOf,
  optional,
  searchText,
  text,
} from "../../../../domain/parameters.ts";
import { healthStatuses } from "../records.ts";

const name = (description: string) => optional(text({ description, emptyIsAbsent: true }));
const titles = (description: string) => optional(list(text(), { split: true, description }));

/** The filters that `not` can also exclude (issue-statistics, "Parameters"). */
const reversible = {
  labels: titles("names that an issue has all of; None, Any"),
  milestone: name("title; None, Any, #upcoming, #started"),
  milestone_id: optional(
    oneOf(["None", "Any", "Upcoming", "Started"], { description: "a kind of milestone, no id", emptyIsAbsent: true }),
  ),
  author_id: optional(integer()),
  author_username: name("whatever its case"),
  assignee_id: optional(integerNoneOrAny()),
  assignee_username: optional(list(text(), { severalFrom: "premium", description: "assigned to each of them" })),
  epic_id: optional(integerNoneOrAny({ tier: "premium", description: "the epic's id, None, or Any" })),
  my_reaction_emoji: name("what the caller put on it; None, Any"),
  iids: optional(list(integer(), { split: true })),
  weight: optional(integerNoneOrAny({ tier: "premium" })),
  health_status: optional(oneOf([...healthStatuses, "none", "any", "None", "Any"], { tier: "ultimate" })),
} satisfies TProperties;

const scopes = ["created_by_me", "assigned_to_me", "all", "created-by-me", "assigned-to-me"] as const;

/** The filters that lists and statistics have in common. */
export const issueFilterParameters = {
  ...reversible,
  scope: optional(oneOf(scopes, { emptyIsAbsent: true })),
  search: optional(searchText("words and quoted phrases, all of which occur")),
  in: name("title, description, or both with a comma"),
  created_after: optional(dateTime()),
  created_before: optional(dateTime()),
  updated_after: optional(dateTime()),
  updated_before: optional(dateTime()),
  confidential: optional(boolean()),
  not: optional(hash(reversible, { description: "what to leave out" })),
} satisfies TProperties;

export const issueFilterRules = ["", "not"].flatMap((outer) =>
  [
    ["author_id", "author_username"],
    ["assignee_id", "assignee_username"],
    ["milestone_id", "milestone"],
  ].map((names) => mutuallyExclusive(...names.map((each) => (outer === "" ? each : `${outer}[${each}]`)))),
);

const IssueFilters = Type.Object(issueFilterParameters);
export type IssueFilters = Static<typeof IssueFilters>;
const Reversible = Type.Object(reversible);
/** Every one of them alone says which issues; `not` says the same of those to leave out. */
export type ReversibleFilters = Static<typeof Reversible>;
