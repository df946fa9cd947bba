/** The conditions that the filters of a request for merge requests stand for. */

import type { Caller, CallerUser } from "../../../../domain/caller.ts";
import type { Condition } from "../../../../store/index.ts";
import { Access } from "../../../core/access/index.ts";
import type { Context } from "../../../kernel/context.ts";
import {
  namesIn,
  noneOrAny,
  whereIdOrWord,
  whereLabels,
  whereMilestone,
  whereOtherMilestone,
  whereReaction,
  whereTextAndTime,
  whereUsername,
} from "../../../planning/issuables/index.ts";
import { type IssuableScope, matchNone } from "../../../planning/issuables/records.ts";
import { none } from "../../../planning/issues/records.ts";
import { canSeeMergeRequestsOf, ReadableMergeRequests } from "../../../planning/readable-merge-requests/index.ts";
import { mergeRequests } from "../records.ts";
import type { ListParameters, ReversibleFilters } from "./schema.ts";

export type MergeRequestCondition = Condition<typeof mergeRequests.indexes>;

/** The merge requests of a scope that a caller may read and that all filters leave, each condition answered by an index. */
export function mergeRequestConditions(
  context: Context,
  caller: Caller,
  filters: ListParameters,
  scope: IssuableScope,
): MergeRequestCondition[] {
  return [
    ...readableConditions(context, caller.user, scope),
    ...ownConditions(caller, filters.scope),
    ...wantedConditions(context, caller, filters),
    ...unwantedConditions(context, caller, filters.not ?? {}),
    ...whereTextAndTime(filters),
    ...stateConditions(context, filters),
    ...branchConditions(filters),
    ...approvalConditions(context, filters),
  ];
}

/** The merge requests of a scope that a user may read (merge-requests 1). */
export function readableConditions(
  context: Context,
  user: CallerUser | undefined,
  scope: IssuableScope,
): MergeRequestCondition[] {
  const readable = context.get(ReadableMergeRequests);
  if (scope === "everywhere") return [{ ids: readable.of(user) }];
  if ("group" in scope) return [{ ids: readable.of(user) }, { ids: readable.inGroup(scope.group.id) }];
  if (!canSeeMergeRequestsOf(context.get(Access), user, scope.project)) return [matchNone];
  const inProject = { index: "project_id", key: scope.project.id } as const;
  return user?.is_admin === true ? [inProject] : [inProject, { not: { ids: readable.withTrait("banned") } }];
}

/** `scope`: what is mine, whatever else is asked for. */
function ownConditions({ user }: Caller, scope: ListParameters["scope"]): MergeRequestCondition[] {
  if (scope === undefined || scope === "all") return [];
  if (user === undefined) return [matchNone];
  if (scope === "reviews_for_me") return [{ index: "reviewer_id", key: user.id }];
  const isAuthor = scope === "created_by_me" || scope === "created-by-me";
  return [{ index: isAuthor ? "author_id" : "assignee_id", key: user.id }];
}

function wantedConditions(context: Context, caller: Caller, filters: ReversibleFilters): MergeRequestCondition[] {
  const where = plainConditions(context, caller, filters);
  const { labels = [], milestone, assignee_username = [] } = filters;
  where.push(...whereLabels(context, mergeRequests, labels));
  if (milestone !== undefined) where.push(whereMilestone(context, mergeRequests, milestone));
  for (const name of namesIn(assignee_username)) where.push(whereUsername(context, "assignee_id", name));
  return where;
}

/** The conditions that `not` excludes: of several labels or assignees, what has any of them. */
function unwantedConditions(context: Context, caller: Caller, filters: ReversibleFilters): MergeRequestCondition[] {
  const where = plainConditions(context, caller, filters).map((each): MergeRequestCondition => ({ not: each }));
  const { labels = [], milestone, assignee_username = [] } = filters;
  for (const title of labels) {
    for (const each of whereLabels(context, mergeRequests, [title])) where.push({ not: each });
  }
  if (milestone !== undefined) where.push(whereOtherMilestone(context, mergeRequests, milestone));
  for (const name of namesIn(assignee_username)) where.push({ not: whereUsername(context, "assignee_id", name) });
  return where;
}

/** Filters of which each is one condition, so that its opposite is what it does not hold for. */
function plainConditions(context: Context, caller: Caller, filters: ReversibleFilters): MergeRequestCondition[] {
  const where: MergeRequestCondition[] = [];
  const { author_id, author_username, assignee_id, reviewer_id, reviewer_username, my_reaction_emoji } = filters;
  if (author_id !== undefined) where.push({ index: "author_id", key: author_id });
  if (author_username !== undefined) where.push(whereUsername(context, "author_id", author_username));
  if (assignee_id !== undefined) where.push(whereIdOrWord("assignee_id", none, assignee_id));
  if (reviewer_id !== undefined) where.push(whereIdOrWord("reviewer_id", none, reviewer_id));
  if (reviewer_username !== undefined) {
    const word = noneOrAny(reviewer_username);
    where.push(
      word === undefined
        ? whereUsername(context, "reviewer_id", reviewer_username)
        : whereIdOrWord("reviewer_id", none, word),
    );
  }
  if (my_reaction_emoji !== undefined) where.push(whereReaction(context, caller, "MergeRequest", my_reaction_emoji));
  return where;
}

function stateConditions(context: Context, filters: ListParameters): MergeRequestCondition[] {
  const where: MergeRequestCondition[] = [];
  const { state, wip, draft, merge_user_id, merge_user_username, iids = [], non_archived } = filters;
  if (state !== undefined && state !== "all") where.push({ index: "state", key: state });
  if (wip !== undefined) where.push({ index: "draft", key: wip });
  if (draft !== undefined) where.push({ index: "draft", key: draft ? "yes" : "no" });
  if (merge_user_id !== undefined) where.push({ index: "merge_user_id", key: merge_user_id });
  if (merge_user_username !== undefined) where.push(whereUsername(context, "merge_user_id", merge_user_username));
  if (iids.length > 0) where.push({ anyOf: iids.map((key) => ({ index: "number", key })) });
  if (non_archived === true) where.push({ not: { ids: context.get(ReadableMergeRequests).withTrait("archived") } });
  return where;
}

function approvalConditions(context: Context, filters: ListParameters): MergeRequestCondition[] {
  const { approved, approved_by_ids = [], approved_by_usernames = [] } = filters;
  const where: MergeRequestCondition[] = approved === undefined ? [] : [{ index: "approved", key: approved }];
  for (const id of approved_by_ids) {
    const word = noneOrAny(id);
    where.push(
      word === undefined
        ? { index: "approved_by_id", key: Number(id) || none - 1 }
        : whereIdOrWord("approved_by_id", none, word),
    );
  }
  for (const name of namesIn(approved_by_usernames)) {
    const word = noneOrAny(name);
    where.push(
      word === undefined ? whereUsername(context, "approved_by_id", name) : whereIdOrWord("approved_by_id", none, word),
    );
  }
  return where;
}

function branchConditions({
  source_branch,
  target_branch,
  source_project_id,
}: ListParameters): MergeRequestCondition[] {
  const where: MergeRequestCondition[] = [];
  if (source_branch !== undefined) where.push({ index: "source_branch", key: source_branch });
  if (target_branch !== undefined) where.push({ index: "target_branch", key: target_branch });
  if (source_project_id !== undefined) where.push({ index: "source_project_id", key: source_project_id });
  return where;
}
