/** The conditions that filters of issues and merge requests stand for in the same way. */

import type { Caller } from "../../../domain/caller.ts";
import type { SubjectRef } from "../../../domain/subject.ts";
import { findUserByUsername } from "../../core/users/index.ts";
import { awardByUserKey, awardEmoji, emojiName } from "../../discussions/award-emoji/records.ts";
import type { Context } from "../../kernel/context.ts";
import { labels } from "../labels/records.ts";
import { carriersOf, withoutLabel } from "../pending-unlinks/index.ts";
import { type Issuable, type IssuableCollection, type IssuableCondition, matchNone } from "./records.ts";
import { noneOrAny, searchFields, searchWords } from "./search-words.ts";

/** Filters by times and texts. */
export interface TextAndTimeFilters {
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
  readonly updated_after?: string | undefined;
  readonly updated_before?: string | undefined;
  readonly search?: string | undefined;
  readonly in?: string | undefined;
}

export function whereTextAndTime(filters: TextAndTimeFilters): IssuableCondition[] {
  const where: IssuableCondition[] = [];
  const { created_after, created_before, updated_after, updated_before } = filters;
  if (created_after !== undefined || created_before !== undefined) {
    where.push({ index: "created_at", from: created_after, to: created_before });
  }
  if (updated_after !== undefined || updated_before !== undefined) {
    where.push({ index: "updated_at", from: updated_after, to: updated_before });
  }
  const words = searchWords(filters.search ?? "");
  if (words.length > 0) where.push({ index: "words", contains: words, in: searchFields(filters.in) });
  return where;
}

/** All of the titles, each of which several labels may have; `None` and `Any` outdo the others. */
export function whereLabels<T extends Issuable>(
  { store }: Context,
  collection: IssuableCollection<T>,
  titles: readonly string[],
): IssuableCondition[] {
  const unlabelled = withoutLabel(store, collection);
  const words = titles.map(noneOrAny);
  if (words.includes("none")) return [unlabelled];
  if (words.includes("any")) return [{ not: unlabelled }];
  return titles.map((title) => {
    const keys = [...store.of(labels).by.title.find(title)];
    return keys.length === 0 ? matchNone : carriersOf(store, "label", keys);
  });
}

/** The things with a reaction of the caller; others' reactions do not count. */
export function whereReaction(
  { store }: Context,
  { user }: Caller,
  type: SubjectRef["type"],
  name: string,
): IssuableCondition {
  const word = noneOrAny(name);
  const documents = store.of(awardEmoji);
  const key = user && awardByUserKey(type, user.id, word === undefined ? emojiName(name) : undefined);
  const gifts = key === undefined ? [] : [...documents.by.gift.find(key)];
  const ids = gifts.flatMap((id) => documents.get(id)?.awardable_id ?? []);
  return word === "none" ? { not: { ids } } : { ids };
}

/** An id, or whether there is any; `missing` is the key of what has none. */
export function whereIdOrWord<I extends string>(
  index: I,
  missing: number | string,
  wanted: number | "none" | "any",
): { index: I; key: number | string } | { not: { index: I; key: number | string } } | { ids: number[] } {
  if (wanted === "none") return { index, key: missing };
  if (wanted === "any") return { not: { index, key: missing } };
  // 0 is the key of what lacks one, and no id.
  return wanted === missing ? { ids: [] } : { index, key: wanted };
}

export function whereUsername<I extends string>(
  { store }: Context,
  index: I,
  username: string,
): { index: I; key: number } | { ids: number[] } {
  const user = findUserByUsername(store, username);
  return user === undefined ? { ids: [] } : { index, key: user.id };
}

/** The names of a list that are not blank. */
export function namesIn(names: readonly string[]): string[] {
  return names.filter((name) => name.trim() !== "");
}
