import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { hashPassword } from "../../../domain/password.ts";
import {
  findAddress,
  findUser,
  getUser,
  getUserByResetToken,
  offerPassword,
  requireGoodPassword,
  requireUsableState,
  updateOwnPassword,
} from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { SignIns } from "../sessions/index.ts";
import { confirmOwner } from "./service.ts";

/** `PUT /-/account/password`. Throws 400 for a bad password and for a wrong current one, 429 for too many attempts. */
export async function updateOwnAccountPassword(
  context: Context,
  caller: SignedInCaller,
  { current_password, password }: { readonly current_password?: string; readonly password: string },
): Promise<void> {
  await confirmOwner(context, caller, current_password);
  requireGoodPassword(password);
  const digest = await hashPassword(password, context.passwordLife);
  context.store.transact((tx) => {
    updateOwnPassword(tx, context, caller, getUser(context.store, caller.user.id), digest);
  });
}

/** `POST /-/account/password-resets`. Nobody learns whether somebody has the address. Throws 429 for too many attempts. */
export function askForPassword(context: Context, { ipAddress }: Caller, email: string): void {
  const { store } = context;
  context.get(SignIns).count(email, ipAddress);
  const holder = findAddress(store, email.trim());
  if (holder === undefined || holder.secondary?.confirmed_at === null) return;
  const user = findUser(store, holder.userId);
  if (user?.state !== "active" || user.user_type !== "human") return;
  store.transact((tx) => offerPassword(tx, context, user));
}

/**
 * `PUT /-/account/password-resets`. Throws 400 for a link that does not work and for a bad password, 403 for the state of the
 * user, 429 for too many attempts.
 */
export async function choosePassword(
  context: Context,
  caller: Caller,
  { reset_password_token: token, password }: { readonly reset_password_token: string; readonly password: string },
  baseUrl: string,
): Promise<void> {
  context.get(SignIns).count(undefined, caller.ipAddress);
  requireUsableState(getUserByResetToken(context, token), baseUrl);
  requireGoodPassword(password);
  const digest = await hashPassword(password, context.passwordLife);
  context.store.transact((tx) => {
    // While the password was hashed, the link may have been used.
    const user = getUserByResetToken(context, token);
    updateOwnPassword(tx, context, { ...caller, user }, user, digest);
  });
}
