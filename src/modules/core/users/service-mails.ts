import type { Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { enqueueMail } from "../outbox/index.ts";
import type { UserRecord } from "./records.ts";

type Letter = (tx: Transaction, context: Context, user: UserRecord) => void;

/** `link`: where the first password is chosen. */
export function mailNewAccount(tx: Transaction, context: Context, user: UserRecord, link: string): void {
  write(tx, context, user, "user_created", "An account was created for you", [
    `An administrator has created an account for you. Your username is ${user.username}.`,
    `Choose your password here: ${link}`,
  ]);
}

export const mailNewPassword: Letter = (tx, context, user) =>
  write(tx, context, user, "user_password_updated", "Your password was changed by an administrator", [
    `An administrator has changed the password of your account ${user.username}.`,
    "You will be asked to choose another one when you sign in next.",
  ]);

export const mailDeactivation: Letter = (tx, context, user) =>
  write(tx, context, user, "user_deactivated", "Your account was deactivated", [
    `Your account ${user.username} was deactivated by an administrator. Ask them if you need it again.`,
  ]);

export const mailApproval: Letter = (tx, context, user) =>
  write(tx, context, user, "user_approved", "Your account was approved", [
    `Your request for an account was approved. Your username is ${user.username}.`,
  ]);

export const mailRejection: Letter = (tx, context, user) =>
  write(tx, context, user, "user_rejected", "Your request for an account was rejected", [
    "Your request for an account was rejected by an administrator.",
  ]);

/** `link`: where another password is chosen. */
export function mailResetPassword(tx: Transaction, context: Context, user: UserRecord, link: string): void {
  write(tx, context, user, "user_password_reset", "Choose another password", [
    `Somebody asked for another password of your account ${user.username}. If it was you, choose it here: ${link}`,
    "The link works once, within two days. If it was not you, there is nothing to do.",
  ]);
}

/** Asks for confirmation at the address that was added, or that is to become the primary one. */
export function mailConfirmation(
  tx: Transaction,
  context: Context,
  user: UserRecord,
  address: string,
  link: string,
): void {
  write(tx, context, { ...user, email: address }, "email_confirmation", "Confirm your email address", [
    `This address was given for the account ${user.username}. It can be used there once it is confirmed.`,
    `Confirm it here: ${link}`,
    "If the account is not yours, there is nothing to do.",
  ]);
}

function write(
  tx: Transaction,
  context: Context,
  { id, name, email }: Pick<UserRecord, "id" | "name" | "email">,
  event: string,
  subject: string,
  lines: readonly string[],
): void {
  const text = [`Hello ${name},`, ...lines].join("\n\n");
  enqueueMail(tx, context, { to: email, subject, text, event, queue: "account", cause: `user ${id}` });
}
