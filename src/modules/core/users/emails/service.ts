import type { SignedInCaller } from "../../../../domain/caller.ts";
import { Failure, invalid, notFound, requireUnmodified } from "../../../../domain/failure.ts";
import { type Page, type PageRequest, pageOfAll } from "../../../../domain/page.ts";
import { WindowCounter } from "../../../../domain/window-counter.ts";
import { type DateTime, toDateTime } from "../../../../lib/datetime.ts";
import type { Store } from "../../../../store/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { updateRecord } from "../../../kernel/record-events.ts";
import { serviceKey } from "../../../kernel/service.ts";
import { isEmailAddress } from "../attributes/validation.ts";
import { recordUserEvent } from "../audit.ts";
import { userEvents } from "../events.ts";
import type { UserRecord } from "../records.ts";
import { getUser } from "../service.ts";
import { type EmailRecord, emails } from "./records.ts";
import { findAddress, nextEmailId, primaryEmailId, secondaryAddresses } from "./service-addresses.ts";
import { offerConfirmation } from "./service-confirmation.ts";

/** An address as lists show it: secondary, or the primary one. */
export type EmailEntry = Pick<EmailRecord, "id" | "email" | "confirmed_at">;

/** A user's addresses, the primary one first once it is confirmed (users-and-auth 11). */
export function listEmails(store: Store, user: UserRecord, page: PageRequest): Page<EmailEntry> {
  return pageOfAll(entriesOf(store, user), page);
}

/** Throws 404 `Email Not Found`, for other people's too. */
export function getEmail(store: Store, user: UserRecord, id: number): EmailEntry {
  const entry = entriesOf(store, user).find((each) => each.id === id);
  if (entry === undefined) throw notFound("Email");
  return entry;
}

/** Mails to addresses of others that one user may cause. */
const confirmationsPerHour = 20;

/** Counts the confirmation mails that users cause. In memory. */
export const ConfirmationRate = serviceKey("confirmation-rate", ({ clock }) => new WindowCounter(clock));

function countConfirmation(context: Context, { user }: SignedInCaller): void {
  if (user.is_admin) return;
  const { observed, remainingSeconds } = context.get(ConfirmationRate).count(String(user.id), 3600);
  if (observed <= confirmationsPerHour) return;
  const message = `429 Too Many Requests - one user may add ${confirmationsPerHour} addresses in an hour`;
  throw new Failure("too_many", { message }, { retryAfterSeconds: remainingSeconds });
}

/** Throws 400 with attribute errors for what is no address, and for one that any user has, and 429. */
export function createEmail(
  context: Context,
  caller: SignedInCaller,
  userId: number,
  { email: given, skip_confirmation }: { email: string; skip_confirmation?: boolean },
): EmailEntry {
  const { store } = context;
  const user = getUser(store, userId);
  const email = given.trim().toLowerCase();
  if (!isEmailAddress(email)) throw invalid({ email: ["is invalid"] });
  // Before the answer tells whether somebody has the address.
  countConfirmation(context, caller);
  if (findAddress(store, email) !== undefined) throw invalid({ email: ["has already been taken"] });
  const now = toDateTime(context.clock.now());
  return store.transact((tx) => {
    const record = tx.insert(emails, {
      id: nextEmailId(tx),
      user_id: user.id,
      email,
      confirmed_at: skip_confirmation === true ? now : null,
      created_at: now,
      updated_at: now,
    });
    recordUserEvent(tx, context, caller, user, "email_created", { add: "email" }, targetOf(record));
    return record.confirmed_at === null ? offerConfirmation(tx, context, user, record) : record;
  });
}

/**
 * Settings that pointed to the address point to the primary one from then on. Throws 404 `Email Not Found`, 400 for the
 * primary one, 412.
 */
export function deleteEmail(
  context: Context,
  caller: SignedInCaller,
  userId: number,
  id: number,
  unmodifiedSince: DateTime | undefined,
): void {
  const { store } = context;
  const user = getUser(store, userId);
  const entry = getEmail(store, user, id);
  const record = store.of(emails).get(entry.id);
  if (record === undefined) throw invalid("400 Bad request - The primary email address cannot be deleted");
  requireUnmodified(record, unmodifiedSince);
  store.transact((tx) => {
    tx.remove(emails, record.id);
    const changed = withoutAddress(user, record.email);
    const updated_at = toDateTime(context.clock.now());
    if (changed !== user) updateRecord(tx, context, caller, userEvents, { ...changed, updated_at });
    recordUserEvent(tx, context, caller, user, "email_destroyed", { remove: "email" }, targetOf(record));
  });
}

function entriesOf(store: Store, user: UserRecord): EmailEntry[] {
  const primary = { id: primaryEmailId(user), email: user.email, confirmed_at: user.confirmed_at };
  return [...(user.confirmed_at === null ? [] : [primary]), ...secondaryAddresses(store, user.id)];
}

function withoutAddress(user: UserRecord, address: string): UserRecord {
  const isPublic = user.public_email?.toLowerCase() === address;
  const isForCommits = user.commit_email?.toLowerCase() === address;
  if (!isPublic && !isForCommits) return user;
  const primary = user.confirmed_at === null ? null : user.email;
  return {
    ...user,
    ...(isPublic ? { public_email: primary } : {}),
    ...(isForCommits ? { commit_email: null } : {}),
  };
}

function targetOf({ id, email }: EmailRecord) {
  return { type: "Email", id, details: email };
}
