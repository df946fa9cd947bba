import type { Static } from "@sinclair/typebox";
import type { SignedInCaller } from "../../../domain/caller.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Condition, Store } from "../../../store/index.ts";
import { Access, canReadConfidentialEpics, canReadGroup } from "../../core/access/index.ts";
import { selfAndAncestors, selfAndDescendants } from "../../core/namespaces/index.ts";
import { findUserByUsername } from "../../core/users/index.ts";
import { awardByUserKey, awardEmoji, emojiName } from "../../discussions/award-emoji/records.ts";
import { type GroupRecord, groups } from "../../groups-and-projects/groups/records.ts";
import type { Context } from "../../kernel/context.ts";
import { noneOrAny, searchWords } from "../issuables/index.ts";
import { none } from "../issues/records.ts";
import { labels } from "../labels/records.ts";
import { carriedIds, deletedIds, remainingIds } from "../pending-unlinks/index.ts";
import { type EpicRecord, epics } from "./records.ts";
import type { ListEpics } from "./schema-parameters.ts";

type Parameters = Static<typeof ListEpics>;
type EpicCondition = Condition<typeof epics.indexes>;

const matchNone: EpicCondition = { ids: [] };

/** `GET /groups/:id/epics` (issues-labels-milestones-epics 6). Every filter is answered by an index. */
export function listEpics(
  context: Context,
  caller: SignedInCaller,
  group: GroupRecord,
  params: Parameters,
  page: PageRequest,
): Page<EpicRecord> {
  return context.store.page(epics, {
    where: [
      ...readableConditions(context, caller, groupsAround(context, group, params)),
      ...plainConditions(context, params),
      ...labelConditions(context, params.labels ?? []),
      ...reactionConditions(context, caller, params.my_reaction_emoji),
    ],
    order: params.order_by ?? "created_at",
    descending: params.sort !== "asc",
    page,
  });
}

function groupsAround({ store }: Context, group: GroupRecord, params: Parameters): number[] {
  const below = params.include_descendant_groups === false ? [group.id] : selfAndDescendants(store, group.id);
  if (params.include_ancestor_groups !== true) return below;
  return [
    ...below,
    ...selfAndAncestors(store, group.id)
      .slice(1)
      .map(({ id }) => id),
  ];
}

/** The epics of those groups that the caller may read, without the confidential ones where they are not for the caller. */
function readableConditions(context: Context, { user }: SignedInCaller, groupIds: readonly number[]): EpicCondition[] {
  const { store } = context;
  const access = context.get(Access);
  const { by } = store.of(epics);
  const seen = groupIds.filter((id) => {
    const group = by.group_id.find(id).size === 0 ? undefined : store.of(groups).get(id);
    return group !== undefined && canReadGroup(context, user, group);
  });
  const closed = seen.filter((id) => by.confidential.find(id).size > 0 && !canReadConfidentialEpics(access, user, id));
  return [
    { anyOf: seen.map((key) => ({ index: "group_id", key })) },
    ...closed.map((key): EpicCondition => ({ not: { index: "confidential", key } })),
  ];
}

function plainConditions({ store }: Context, params: Parameters): EpicCondition[] {
  const where: EpicCondition[] = [];
  const { author_id, author_username, state = "all" } = params;
  if (author_id !== undefined) where.push({ index: "author_id", key: author_id });
  if (author_username !== undefined) {
    const author = findUserByUsername(store, author_username);
    where.push(author === undefined ? matchNone : { index: "author_id", key: author.id });
  }
  if (state !== "all") where.push({ index: "state", key: state });
  const { created_after, created_before, updated_after, updated_before } = params;
  if (created_after !== undefined || created_before !== undefined) {
    where.push({ index: "created_at", from: created_after, to: created_before });
  }
  if (updated_after !== undefined || updated_before !== undefined) {
    where.push({ index: "updated_at", from: updated_after, to: updated_before });
  }
  const contains = searchWords(params.search ?? "");
  if (contains.length > 0) where.push({ index: "words", contains });
  return where;
}

/** All of the titles, each of which several labels may have; `None` and `Any` outdo the others. */
function labelConditions({ store }: Context, titles: readonly string[]): EpicCondition[] {
  const unlabelled = withoutLabel(store);
  const words = titles.map(noneOrAny);
  if (words.includes("none")) return [unlabelled];
  if (words.includes("any")) return [{ not: unlabelled }];
  return titles.map((title) => {
    const keys = carriedIds(store, "label", [...store.of(labels).by.title.find(title)]);
    return keys.length === 0 ? matchNone : { anyOf: keys.map((key) => ({ index: "label_id", key })) };
  });
}

/** Includes epics whose last label was deleted and whose link to it is not removed yet. */
function withoutLabel(store: Store): EpicCondition {
  const { by } = store.of(epics);
  const carriers = deletedIds(store, "label").flatMap((goneId) => [...by.label_id.find(goneId)]);
  const ids = carriers.filter((id) => {
    return remainingIds(store, "label", store.of(epics).get(id)?.label_ids ?? []).length === 0;
  });
  return { anyOf: [{ index: "label_id", key: none }, { ids }] };
}

/** The epics with a reaction of the caller; others' reactions do not count. */
function reactionConditions({ store }: Context, { user }: SignedInCaller, wanted: string | undefined): EpicCondition[] {
  if (wanted === undefined) return [];
  const word = noneOrAny(wanted);
  const documents = store.of(awardEmoji);
  const key = awardByUserKey("Epic", user.id, word === undefined ? emojiName(wanted) : undefined);
  const ids = [...documents.by.gift.find(key)].flatMap((id) => documents.get(id)?.awardable_id ?? []);
  return [word === "none" ? { not: { ids } } : { ids }];
}
