import type { Caller } from "../../../../domain/caller.ts";
import { invalid } from "../../../../domain/failure.ts";
import { toDateTime } from "../../../../lib/datetime.ts";
import { digestOf } from "../../../../lib/token-digest.ts";
import type { Transaction } from "../../../../store/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { publish } from "../../../kernel/event.ts";
import { recordUserEvent } from "../audit.ts";
import { userEvents } from "../events.ts";
import { type UserRecord, users } from "../records.ts";
import { getUser } from "../service.ts";
import { mailConfirmation } from "../service-mails.ts";
import { type EmailRecord, emails } from "./records.ts";
import { findAddress } from "./service-addresses.ts";
import { updatePrimaryEmail } from "./service-primary-email.ts";

const tokenLength = 24;
/** A link to confirm an address works for so long. */
const lifeMs = 3 * 86_400_000;

/** Mails a link that makes the waiting address the primary one. */
export function offerPrimaryConfirmation(
  tx: Transaction,
  context: Context,
  user: UserRecord,
  email: string,
): UserRecord {
  const { link, fields } = newConfirmation(context);
  mailConfirmation(tx, context, user, email, link);
  return tx.update(users, { ...user, ...fields });
}

/** Mails a link that confirms a secondary address. */
export function offerConfirmation(
  tx: Transaction,
  context: Context,
  user: UserRecord,
  record: EmailRecord,
): EmailRecord {
  const { link, fields } = newConfirmation(context);
  mailConfirmation(tx, context, user, record.email, link);
  return tx.update(emails, { ...record, ...fields });
}

/** The mail has the only copy of the token: the store keeps the digest. */
function newConfirmation(context: Context) {
  const token = context.randomness.token(tokenLength);
  const link = `${context.mailBaseUrl ?? ""}/users/confirmation?confirmation_token=${token}`;
  const sentAt = toDateTime(context.clock.now());
  return { link, fields: { confirmation_digest: digestOf(token), confirmation_sent_at: sentAt } };
}

/** Confirms the address that a link was mailed to. Throws 400 for a link that was used or is too old. */
export function confirmAddress(context: Context, caller: Caller, token: string): string {
  const { store } = context;
  const digest = digestOf(token);
  const [userId] = store.of(users).by.confirmation_digest.find(digest);
  if (userId !== undefined) return confirmPrimary(context, caller, getUser(store, userId));
  const [emailId] = store.of(emails).by.confirmation_digest.find(digest);
  const record = emailId === undefined ? undefined : store.of(emails).get(emailId);
  if (record === undefined) throw invalid({ confirmation_token: ["is invalid"] });
  requireYoung(context, record);
  const { confirmation_digest: _, confirmation_sent_at: __, ...others } = record;
  const now = toDateTime(context.clock.now());
  store.transact((tx) => {
    tx.update(emails, { ...others, confirmed_at: now, updated_at: now });
    recordConfirmation(tx, context, caller, getUser(store, record.user_id), record.email);
  });
  return record.email;
}

function confirmPrimary(context: Context, caller: Caller, user: UserRecord): string {
  requireYoung(context, user);
  const { confirmation_digest: _, confirmation_sent_at: __, ...others } = user;
  const email = user.unconfirmed_email;
  if (email === undefined) throw invalid({ confirmation_token: ["is invalid"] });
  const holder = findAddress(context.store, email);
  if (holder !== undefined && holder.userId !== user.id) throw invalid({ email: ["has already been taken"] });
  const now = toDateTime(context.clock.now());
  context.store.transact((tx) => {
    const changed = updatePrimaryEmail(tx, others, { kind: "primary", email, secondary: holder?.secondary }, now);
    const confirmed = tx.update(users, { ...changed, confirmed_at: now, updated_at: now });
    recordConfirmation(tx, context, caller, confirmed, email);
    publish(tx, context, userEvents.updated, { caller, before: user, after: confirmed });
  });
  return email;
}

function requireYoung({ clock }: Context, { confirmation_sent_at: sentAt = "" }: UserRecord | EmailRecord): void {
  if (clock.now() - Date.parse(sentAt) <= lifeMs) return;
  throw invalid({ confirmation_token: ["has expired, please request a new one"] });
}

function recordConfirmation(tx: Transaction, context: Context, caller: Caller, user: UserRecord, email: string): void {
  recordUserEvent(tx, context, caller, user, "email_confirmed", { custom_message: `Confirmed the address ${email}` });
}
