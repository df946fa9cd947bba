import { type Static, type TProperties, Type } from "@sinclair/typebox";
import {
  boolean,
  dateTime,
  groupId,
  hash,
  integer,
  integerNoneOrAny,
  list,
  mutuallyExclusive,
  oneOf,
  optional,
  projectId,
  searchText,
  text,
} from "../../../../domain/parameters.ts";

const name = (description?: string) =>
  optional(text({ emptyIsAbsent: true, ...(description === undefined ? {} : { description }) }));
const idNoneOrAny = () => optional(integerNoneOrAny());

/** The filters that `not` can also exclude (merge-requests 2). */
const reversible = {
  author_id: optional(integer()),
  author_username: name("whatever its case"),
  assignee_id: idNoneOrAny(),
  assignee_username: optional(list(text(), { severalFrom: "premium", description: "assigned to each of them" })),
  reviewer_username: name("whatever its case; None, Any"),
  labels: optional(list(text(), { split: true, description: "names that it has all of; None, Any" })),
  milestone: name("title; None, Any, #upcoming, #started"),
  my_reaction_emoji: name("what the caller put on it; None, Any"),
} satisfies TProperties;

const orders = [
  "created_at",
  "label_priority",
  "milestone_due",
  "popularity",
  "priority",
  "title",
  "updated_at",
  "merged_at",
] as const;

/** The limit of the real system. */
const approversMax = 5;

const scopes = ["created-by-me", "assigned-to-me", "created_by_me", "assigned_to_me", "reviews_for_me", "all"] as const;

/** The parameters of all three lists. */
const listParameters = {
  ...reversible,
  reviewer_id: idNoneOrAny(),
  merge_user_id: optional(integer()),
  merge_user_username: name("whatever its case"),
  scope: optional(oneOf(scopes, { emptyIsAbsent: true })),
  state: optional(oneOf(["opened", "closed", "locked", "merged", "all"], { emptyIsAbsent: true })),
  source_branch: name(),
  target_branch: name(),
  source_project_id: optional(integer()),
  search: optional(searchText("words and quoted phrases, all of which occur")),
  in: name("title, description, or both with a comma"),
  wip: optional(oneOf(["yes", "no"], { emptyIsAbsent: true, description: "whether it is a draft" })),
  draft: optional(boolean({ description: "other form of wip" })),
  approved: optional(oneOf(["yes", "no"], { emptyIsAbsent: true, description: "whether anybody has approved it" })),
  approved_by_ids: optional(
    list(text(), { split: true, tier: "premium", maxItems: approversMax, description: "by all of them; None, Any" }),
  ),
  approved_by_usernames: optional(
    list(text(), { split: true, tier: "premium", maxItems: approversMax, description: "by all of them; None, Any" }),
  ),
  created_after: optional(dateTime()),
  created_before: optional(dateTime()),
  updated_after: optional(dateTime()),
  updated_before: optional(dateTime()),
  not: optional(hash({ ...reversible, reviewer_id: optional(integer()) }, { description: "what to leave out" })),
  order_by: optional(oneOf(orders, { emptyIsAbsent: true })),
  sort: optional(oneOf(["asc", "desc"], { emptyIsAbsent: true })),
  view: optional(oneOf(["simple"], { emptyIsAbsent: true, description: "only the most important fields" })),
  with_labels_details: optional(boolean({ description: "labels are objects" })),
};

const nonArchived = { non_archived: optional(boolean({ description: "true: none of archived projects" })) };

export const ListMergeRequests = Type.Object({ ...listParameters, ...nonArchived });
export const ListGroupMergeRequests = Type.Object({ id: groupId(), ...listParameters, ...nonArchived });
export const ListProjectMergeRequests = Type.Object({
  id: projectId(),
  ...listParameters,
  iids: optional(list(integer(), { split: true })),
});

export const listRules = [
  ...["", "not"].flatMap((outer) =>
    [
      ["author_id", "author_username"],
      ["assignee_id", "assignee_username"],
      ["reviewer_id", "reviewer_username"],
    ].map((names) => mutuallyExclusive(...names.map((each) => (outer === "" ? each : `${outer}[${each}]`)))),
  ),
  mutuallyExclusive("merge_user_id", "merge_user_username"),
];

export type ListParameters = Static<typeof ListMergeRequests> & { readonly iids?: readonly number[] | undefined };
export type OrderBy = (typeof orders)[number];

const Reversible = Type.Object({ ...reversible, reviewer_id: idNoneOrAny() });
/** Every one of them alone says which merge requests; `not` says the same of those to leave out. */
export type ReversibleFilters = Static<typeof Reversible>;
