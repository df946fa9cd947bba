/** The conditions that the filters of a request stand for. */

import type { Caller } from "../../../../domain/caller.ts";
import { canReadEpic } from "../../../core/access/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { epics } from "../../epics/records.ts";
import {
  namesIn,
  whereIdOrWord,
  whereLabels,
  whereMilestone,
  whereMilestoneOfWord,
  whereOtherMilestone,
  whereOtherMilestoneOfWord,
  whereReaction,
  whereTextAndTime,
  whereUsername,
} from "../../issuables/index.ts";
import { matchNone } from "../../issuables/records.ts";
import { issues, none } from "../records.ts";
import type { IssueFilters, ReversibleFilters } from "./schema.ts";
import { type IssueCondition, type IssueScope, readableConditions } from "./scope.ts";

/**
 * The issues of a scope that a caller may read and that all filters of the request leave, each condition answered by an
 * index. `state`, and what only lists know, is not among the filters (issue-statistics).
 */
export function issueConditions(
  context: Context,
  caller: Caller,
  filters: IssueFilters,
  scope: IssueScope,
): IssueCondition[] {
  return [
    ...readableConditions(context, caller.user, scope),
    ...ownConditions(caller, filters.scope),
    ...wantedConditions(context, caller, filters),
    ...unwantedConditions(context, caller, filters.not ?? {}),
    ...textAndTimeConditions(filters),
  ];
}

/** `scope`: what is mine, whatever else is asked for. */
function ownConditions({ user }: Caller, scope: IssueFilters["scope"]): IssueCondition[] {
  if (scope === undefined || scope === "all") return [];
  if (user === undefined) return [matchNone];
  const isAuthor = scope === "created_by_me" || scope === "created-by-me";
  return [{ index: isAuthor ? "author_id" : "assignee_id", key: user.id }];
}

function wantedConditions(context: Context, caller: Caller, filters: ReversibleFilters): IssueCondition[] {
  const where = plainConditions(context, caller, filters);
  const { labels: titles = [], milestone, milestone_id, assignee_username = [] } = filters;
  where.push(...whereLabels(context, issues, titles));
  if (milestone !== undefined) where.push(whereMilestone(context, issues, milestone));
  if (milestone_id !== undefined) where.push(whereMilestoneOfWord(context, issues, milestone_id));
  for (const name of namesIn(assignee_username)) where.push(whereUsername(context, "assignee_id", name));
  return where;
}

/** The conditions that `not` excludes: of several labels or assignees, an issue with any of them. */
function unwantedConditions(context: Context, caller: Caller, filters: ReversibleFilters): IssueCondition[] {
  const where = plainConditions(context, caller, filters).map((condition): IssueCondition => ({ not: condition }));
  const { labels: titles = [], milestone, milestone_id, assignee_username = [] } = filters;
  where.push(
    ...titles.flatMap((title) => whereLabels(context, issues, [title])).map((each): IssueCondition => ({ not: each })),
  );
  if (milestone !== undefined) where.push(whereOtherMilestone(context, issues, milestone));
  if (milestone_id !== undefined) where.push(whereOtherMilestoneOfWord(context, issues, milestone_id));
  for (const name of namesIn(assignee_username)) where.push({ not: whereUsername(context, "assignee_id", name) });
  return where;
}

/** Filters of which each is one condition, so that its opposite is what it does not hold for. */
function plainConditions(context: Context, caller: Caller, filters: ReversibleFilters): IssueCondition[] {
  const where: IssueCondition[] = [];
  const { author_id, author_username, assignee_id, epic_id, my_reaction_emoji, iids = [], weight } = filters;
  const health = filters.health_status?.toLowerCase();
  if (author_id !== undefined) where.push({ index: "author_id", key: author_id });
  if (author_username !== undefined) where.push(whereUsername(context, "author_id", author_username));
  if (assignee_id !== undefined) where.push(whereIdOrWord("assignee_id", none, assignee_id));
  if (epic_id !== undefined) where.push(byEpic(context, caller, epic_id));
  if (weight !== undefined) where.push(whereIdOrWord("weight", "none", weight));
  if (health === "any") where.push({ not: { index: "health_status", key: "none" } });
  else if (health !== undefined) where.push({ index: "health_status", key: health });
  if (my_reaction_emoji !== undefined) where.push(whereReaction(context, caller, "Issue", my_reaction_emoji));
  if (iids.length > 0) where.push({ anyOf: iids.map((key) => ({ index: "number", key })) });
  return where;
}

function textAndTimeConditions(filters: IssueFilters): IssueCondition[] {
  const where: IssueCondition[] = whereTextAndTime(filters);
  const isConfidential: IssueCondition = { index: "confidential", key: "yes" };
  const { confidential } = filters;
  if (confidential !== undefined) where.push(confidential ? isConfidential : { not: isConfidential });
  return where;
}

/** No issue is in an epic that is hidden from the caller. */
function byEpic(context: Context, { user }: Caller, wanted: number | "none" | "any"): IssueCondition {
  const epic = typeof wanted === "number" ? context.store.of(epics).get(wanted) : undefined;
  if (epic !== undefined && !canReadEpic(context, user, epic)) return matchNone;
  return whereIdOrWord("epic_id", none, wanted);
}
