import type { Static } from "@sinclair/typebox";
import { invalid } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { emojiOf } from "../../../lib/text/emoji.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type UserStatusRecord, userStatuses } from "./records.ts";
import { type ChangeUserStatus, clearingSpans } from "./schema.ts";

const neverSet = { emoji: null, message: null, availability: null, clear_status_at: null } as const;
const messageLengthMax = 100;

/** Returns the status as of now; all null when it was never set or has cleared itself. */
export function statusOf({ store, clock }: Pick<Context, "store" | "clock">, userId: number): UserStatusRecord {
  const status = store.of(userStatuses).get(userId);
  const hasExpired = status?.clear_status_at != null && status.clear_status_at <= toDateTime(clock.now());
  return status === undefined || hasExpired ? { id: userId, ...neverSet } : status;
}

/** `PUT /user/status`: what is not given is cleared. Throws 400 for an unknown emoji and a message too long. */
export function replaceStatus(
  context: Context,
  userId: number,
  params: Static<typeof ChangeUserStatus>,
): UserStatusRecord {
  return writeStatus(context, { id: userId, ...neverSet }, params);
}

/** `PATCH /user/status`: what is not given stays. Throws what `replaceStatus` throws. */
export function updateStatus(
  context: Context,
  userId: number,
  params: Static<typeof ChangeUserStatus>,
): UserStatusRecord {
  const before = statusOf(context, userId);
  return Object.keys(params).length === 0 ? before : writeStatus(context, before, params);
}

/** Removes the status in the transaction that deletes the user. */
export function removeStatusOf(tx: Transaction, store: Store, userId: number): void {
  if (store.of(userStatuses).get(userId) !== undefined) tx.remove(userStatuses, userId);
}

function writeStatus(
  { store, clock }: Context,
  before: UserStatusRecord,
  params: Static<typeof ChangeUserStatus>,
): UserStatusRecord {
  const { clear_status_after: span } = params;
  const message = params.message === undefined ? before.message : blankToNull(params.message);
  const emoji = params.emoji === undefined ? before.emoji : blankToNull(params.emoji);
  const status: UserStatusRecord = {
    id: before.id,
    message,
    emoji: emoji ?? (message === null ? null : "speech_balloon"),
    availability: params.availability === undefined ? before.availability : params.availability,
    clear_status_at: span === undefined ? before.clear_status_at : clearingTime(clock.now(), span),
  };
  requireValidStatus(status);
  const says = status.emoji !== null || status.message !== null || status.availability === "busy";
  store.transact((tx) => {
    removeStatusOf(tx, store, before.id);
    if (says) tx.insert(userStatuses, status);
  });
  return says ? status : { id: before.id, ...neverSet };
}

function clearingTime(now: number, span: keyof typeof clearingSpans | null): string | null {
  return span === null ? null : toDateTime(now + clearingSpans[span]);
}

function requireValidStatus({ emoji, message }: UserStatusRecord): void {
  const errors = {
    ...(emoji !== null && emojiOf(emoji) === undefined ? { emoji: ["is not a valid emoji name"] } : {}),
    ...(exceedsLength(message, messageLengthMax)
      ? { message: [`is too long (maximum is ${messageLengthMax} characters)`] }
      : {}),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

function blankToNull(text: string | null): string | null {
  return text === null || text.trim() === "" ? null : text;
}
