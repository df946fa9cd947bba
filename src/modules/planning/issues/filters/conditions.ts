/** The conditions that the filters of a request stand for. */

import type { Caller } from "../../../../domain/caller.ts";
import { canReadEpic } from "../../../core/access/index.ts";
import { findUserByUsername } from "../../../core/users/index.ts";
import { awardByUserKey, awardEmoji, emojiName } from "../../../discussions/award-emoji/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { epics } from "../../epics/records.ts";
import { labels } from "../../labels/records.ts";
import { carriersOf, withoutLabel } from "../../pending-unlinks/index.ts";
import { none } from "../records.ts";
import { whereMilestone, whereMilestoneOfWord, whereOtherMilestone, whereOtherMilestoneOfWord } from "./milestones.ts";
import type { IssueFilters, ReversibleFilters } from "./schema.ts";
import { type IssueCondition, type IssueScope, matchNone, readableConditions } from "./scope.ts";
import { noneOrAny, searchFields, searchWords } from "./search-words.ts";

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
  where.push(...labelConditions(context, titles));
  if (milestone !== undefined) where.push(whereMilestone(context, milestone));
  if (milestone_id !== undefined) where.push(whereMilestoneOfWord(context, milestone_id));
  for (const name of namesIn(assignee_username)) where.push(byUsername(context, "assignee_id", name));
  return where;
}

/** The conditions that `not` excludes: of several labels or assignees, an issue with any of them. */
function unwantedConditions(context: Context, caller: Caller, filters: ReversibleFilters): IssueCondition[] {
  const where = plainConditions(context, caller, filters).map((condition): IssueCondition => ({ not: condition }));
  const { labels: titles = [], milestone, milestone_id, assignee_username = [] } = filters;
  where.push(
    ...titles.flatMap((title) => labelConditions(context, [title])).map((each): IssueCondition => ({ not: each })),
  );
  if (milestone !== undefined) where.push(whereOtherMilestone(context, milestone));
  if (milestone_id !== undefined) where.push(whereOtherMilestoneOfWord(context, milestone_id));
  for (const name of namesIn(assignee_username)) where.push({ not: byUsername(context, "assignee_id", name) });
  return where;
}

/** Filters of which each is one condition, so that its opposite is what it does not hold for. */
function plainConditions(context: Context, caller: Caller, filters: ReversibleFilters): IssueCondition[] {
  const where: IssueCondition[] = [];
  const { author_id, author_username, assignee_id, epic_id, my_reaction_emoji, iids = [], weight } = filters;
  if (author_id !== undefined) where.push({ index: "author_id", key: author_id });
  if (author_username !== undefined) where.push(byUsername(context, "author_id", author_username));
  if (assignee_id !== undefined) where.push(byIdOrWord("assignee_id", none, assignee_id));
  if (epic_id !== undefined) where.push(byEpic(context, caller, epic_id));
  if (weight !== undefined) where.push(byIdOrWord("weight", "none", weight));
  if (my_reaction_emoji !== undefined) where.push(byReaction(context, caller, my_reaction_emoji));
  if (iids.length > 0) where.push({ anyOf: iids.map((key) => ({ index: "number", key })) });
  return where;
}

function textAndTimeConditions(filters: IssueFilters): IssueCondition[] {
  const where: IssueCondition[] = [];
  const { created_after, created_before, updated_after, updated_before, confidential } = filters;
  if (created_after !== undefined || created_before !== undefined) {
    where.push({ index: "created_at", from: created_after, to: created_before });
  }
  if (updated_after !== undefined || updated_before !== undefined) {
    where.push({ index: "updated_at", from: updated_after, to: updated_before });
  }
  const isConfidential: IssueCondition = { index: "confidential", key: "yes" };
  if (confidential !== undefined) where.push(confidential ? isConfidential : { not: isConfidential });
  const words = searchWords(filters.search ?? "");
  if (words.length > 0) where.push({ index: "words", contains: words, in: searchFields(filters.in) });
  return where;
}

/** All of the titles, each of which several labels may have; `None` and `Any` outdo the others. */
function labelConditions({ store }: Context, titles: readonly string[]): IssueCondition[] {
  const unlabelled = withoutLabel(store);
  const words = titles.map(noneOrAny);
  if (words.includes("none")) return [unlabelled];
  if (words.includes("any")) return [{ not: unlabelled }];
  return titles.map((title) => {
    const keys = [...store.of(labels).by.title.find(title)];
    return keys.length === 0 ? matchNone : carriersOf(store, "label", keys);
  });
}

function byIdOrWord(
  index: "assignee_id" | "epic_id" | "weight",
  missing: number | string,
  wanted: number | "none" | "any",
): IssueCondition {
  if (wanted === "none") return { index, key: missing };
  if (wanted === "any") return { not: { index, key: missing } };
  // 0 is the key of what lacks one, and no id.
  return wanted === missing ? matchNone : { index, key: wanted };
}

/** No issue is in an epic that is hidden from the caller. */
function byEpic(context: Context, { user }: Caller, wanted: number | "none" | "any"): IssueCondition {
  const epic = typeof wanted === "number" ? context.store.of(epics).get(wanted) : undefined;
  if (epic !== undefined && !canReadEpic(context, user, epic)) return matchNone;
  return byIdOrWord("epic_id", none, wanted);
}

function byUsername({ store }: Context, index: "author_id" | "assignee_id", username: string): IssueCondition {
  const user = findUserByUsername(store, username);
  return user === undefined ? matchNone : { index, key: user.id };
}

/** The issues with a reaction of the caller; others' reactions do not count. */
function byReaction({ store }: Context, { user }: Caller, name: string): IssueCondition {
  const word = noneOrAny(name);
  const documents = store.of(awardEmoji);
  const key = user && awardByUserKey("Issue", user.id, word === undefined ? emojiName(name) : undefined);
  const gifts = key === undefined ? [] : [...documents.by.gift.find(key)];
  const ids = gifts.flatMap((id) => documents.get(id)?.awardable_id ?? []);
  return word === "none" ? { not: { ids } } : { ids };
}

function namesIn(names: readonly string[]): string[] {
  return names.filter((name) => name.trim() !== "");
}
