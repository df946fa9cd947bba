/** The ways to another password of one's own. */

import type { Caller } from "../../../../domain/caller.ts";
import { invalid } from "../../../../domain/failure.ts";
import { toDateTime } from "../../../../lib/datetime.ts";
import { digestOf } from "../../../../lib/token-digest.ts";
import type { Store, Transaction } from "../../../../store/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { updateRecord } from "../../../kernel/record-events.ts";
import { recordUserEvent } from "../audit.ts";
import { userEvents } from "../events.ts";
import { type UserRecord, users } from "../records.ts";
import { withSessionsEnded } from "../service.ts";
import { mailNewAccount, mailResetPassword } from "../service-mails.ts";
import { passwordProblems } from "./validation.ts";

const resetTokenLength = 24;
/** A link to choose a password works for so long. */
const resetLifeMs = 2 * 86_400_000;
/** A user gets at most one such mail in this time. */
const resetPauseMs = 60_000;

/** Throws 400 for a password that the rules of users-and-auth 7 refuse. */
export function requireGoodPassword(password: string): void {
  const problems = passwordProblems(password);
  if (problems !== undefined) throw invalid(problems);
}

/** Stores a password that its user has chosen. Every session and every link to choose a password ends. */
export function updateOwnPassword(
  tx: Transaction,
  context: Context,
  caller: Caller,
  user: UserRecord,
  digest: string,
): UserRecord {
  const { reset_password_digest: _, reset_password_sent_at: __, ...others } = user;
  const updated_at = toDateTime(context.clock.now());
  const chosen = { ...others, password_digest: digest, password_expires_at: null, updated_at };
  const changed = updateRecord(tx, context, caller, userEvents, withSessionsEnded(chosen));
  recordUserEvent(tx, context, caller, changed, "user_password_updated", {
    change: "password",
    custom_message: "Changed password",
  });
  return changed;
}

/** True when an administrator chose the password: its user has to choose another one at the next sign-in. */
export function isPasswordExpired({ password_expires_at: at }: UserRecord, now: number): boolean {
  return at !== null && Date.parse(at) <= now;
}

/** Mails the link to choose the first password. The mail has the only copy of its token: the store keeps the digest. */
export function offerFirstPassword(tx: Transaction, context: Context, user: UserRecord): UserRecord {
  const { changed, link } = insertResetToken(tx, context, user);
  mailNewAccount(tx, context, user, link);
  return changed;
}

/** Mails a link to choose another password, unless the user got one a moment ago. */
export function offerPassword(tx: Transaction, context: Context, user: UserRecord): void {
  const sentAt = user.reset_password_sent_at;
  if (sentAt !== undefined && context.clock.now() - Date.parse(sentAt) < resetPauseMs) return;
  mailResetPassword(tx, context, user, insertResetToken(tx, context, user).link);
}

function insertResetToken(tx: Transaction, context: Context, user: UserRecord) {
  const token = context.randomness.token(resetTokenLength);
  const changed = tx.update(users, {
    ...user,
    reset_password_digest: digestOf(token),
    reset_password_sent_at: toDateTime(context.clock.now()),
  });
  return { changed, link: `${context.mailBaseUrl ?? ""}/users/password/edit?reset_password_token=${token}` };
}

/** The user whom a link to choose a password was mailed to. Throws 400 for one that was used or is too old. */
export function getUserByResetToken({ store, clock }: Context, token: string): UserRecord {
  const user = findUserByDigest(store, digestOf(token));
  if (user === undefined) throw invalid({ reset_password_token: ["is invalid"] });
  const sentAt = user.reset_password_sent_at ?? user.created_at;
  if (clock.now() - Date.parse(sentAt) > resetLifeMs) {
    throw invalid({ reset_password_token: ["has expired, please request a new one"] });
  }
  return user;
}

function findUserByDigest(store: Store, digest: string): UserRecord | undefined {
  const documents = store.of(users);
  const [id] = documents.by.reset_password_digest.find(digest);
  return id === undefined ? undefined : documents.get(id);
}
