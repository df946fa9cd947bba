import type { SignedInCaller } from "../../../domain/caller.ts";
import { notFound, requireUnmodified, unauthenticated } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { type SubjectRef, subjectKey } from "../../../domain/subject.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import { emojiOf } from "../../../lib/text/emoji.ts";
import type { Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { insertRecord, removeRecord } from "../../kernel/record-events.ts";
import { firstOf } from "../../kernel/removal.ts";
import type { AwardToggle } from "../../planning/quick-actions/index.ts";
import { Noteables } from "../noteables/index.ts";
import { awardEmojiEvents } from "./events.ts";
import { type AwardEmojiRecord, awardEmoji, awardOnKey, emojiName } from "./records.ts";

/** The oldest first. */
export function listAwards({ store }: Context, awardable: SubjectRef, page: PageRequest): Page<AwardEmojiRecord> {
  const where = [{ index: "awardable", key: subjectKey(awardable) }] as const;
  return store.page(awardEmoji, { where, order: "id", descending: false, page });
}

/** Throws 404 for one that is of something else. */
export function getAward({ store }: Context, awardable: SubjectRef, id: number): AwardEmojiRecord {
  const award = store.of(awardEmoji).get(id);
  if (award?.awardable_type !== awardable.type || award.awardable_id !== awardable.id) throw notFound("Award Emoji");
  return award;
}

/** `POST …/award_emoji`. Throws 404 for an unknown name, and for one that the caller gave already. */
export function createAward(
  context: Context,
  caller: SignedInCaller,
  awardable: SubjectRef,
  given: string,
): AwardEmojiRecord {
  if (emojiOf(given) === undefined) throw notFound("Award Emoji Name is not a valid emoji name");
  const { store } = context;
  const name = emojiName(given);
  if (store.of(awardEmoji).by.given.find(awardOnKey(awardable, caller.user.id, name)).size > 0) {
    throw notFound("Award Emoji Name has already been taken");
  }
  return store.transact((tx) => insertAward(tx, context, caller, awardable, name));
}

/** `/award` in a text: adds the user's reaction, or removes it when it is there. */
export function toggleAward(tx: Transaction, context: Context, { caller, subject, name }: AwardToggle): void {
  const { store } = context;
  const [given] = store.of(awardEmoji).by.given.find(awardOnKey(subject, caller.user.id, name));
  if (given === undefined) insertAward(tx, context, caller, subject, name);
  else removeAward(tx, context, caller, store.of(awardEmoji).get(given) as AwardEmojiRecord);
}

function insertAward(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  awardable: SubjectRef,
  name: string,
): AwardEmojiRecord {
  const now = toDateTime(context.clock.now());
  const id = tx.nextId("award_emoji");
  countReaction(tx, context, { awardable_type: awardable.type, awardable_id: awardable.id, name }, 1);
  return insertRecord(tx, context, caller, awardEmojiEvents, {
    id,
    awardable_type: awardable.type,
    awardable_id: awardable.id,
    user_id: caller.user.id,
    name,
    created_at: now,
    updated_at: now,
  });
}

/** `DELETE …/award_emoji/:award_id`. Throws 401 for all but the giver and administrators, 412. */
export function deleteAward(
  context: Context,
  caller: SignedInCaller,
  award: AwardEmojiRecord,
  unmodifiedSince: DateTime | undefined,
): void {
  const { user } = caller;
  if (award.user_id !== user.id && !user.is_admin) throw unauthenticated();
  requireUnmodified(award, unmodifiedSince);
  context.store.transact((tx) => removeAward(tx, context, caller, award));
}

function removeAward(tx: Transaction, context: Context, caller: SignedInCaller, award: AwardEmojiRecord): void {
  countReaction(tx, context, award, -1);
  removeRecord(tx, context, caller, awardEmojiEvents, award.id);
}

/** Removes reactions along with their giver: at most `limit` reactions. Returns how many. */
export function removeAwards(tx: Transaction, context: Context, ids: Iterable<number>, limit: number): number {
  const first = firstOf(ids, limit);
  for (const id of first) {
    countReaction(tx, context, context.store.of(awardEmoji).get(id) as AwardEmojiRecord, -1);
    tx.remove(awardEmoji, id);
  }
  return first.length;
}

/** Things know how many thumbs point up and down, for lists to show and to sort by. */
function countReaction(
  tx: Transaction,
  context: Context,
  { awardable_type, awardable_id, name }: Pick<AwardEmojiRecord, "awardable_type" | "awardable_id" | "name">,
  by: 1 | -1,
): void {
  const noteable = context.get(Noteables).of(awardable_type);
  const thing = noteable?.find(context.store, awardable_id);
  if (thing !== undefined) noteable?.countReactions?.(tx, thing, name, by);
}
