import type { Static } from "@sinclair/typebox";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, invalid } from "../../../domain/failure.ts";
import { fitsPassword } from "../../../domain/password.ts";
import { getUser, updateUser } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";
import { createAccessToken, type NewAccessToken } from "../access-tokens/index.ts";
import { SignIns } from "../sessions/index.ts";
import { sessions } from "../sessions/records.ts";
import type { ChangeOwnAccount, CreateAnyOwnToken } from "./schema.ts";

/**
 * `PUT /-/account`. Throws 400 with attribute errors, for a taken name or address in the words of users-and-auth 8, and for
 * another address without the password.
 */
export async function updateOwnAccount(
  context: Context,
  caller: SignedInCaller,
  { current_password, ...changes }: Static<typeof ChangeOwnAccount>,
): Promise<UserRecord> {
  const user = getUser(context.store, caller.user.id);
  const wanted = changes.email?.trim().toLowerCase();
  if (wanted !== undefined && wanted !== user.email.toLowerCase())
    await confirmOwner(context, caller, current_password);
  return updateUser(context, caller, { ...changes, id: user.id });
}

/** `POST /-/account/tokens`. Throws what `confirmOwner` throws, and 422 for scopes and expiry. */
export async function createAnyOwnToken(
  context: Context,
  caller: SignedInCaller,
  { current_password, ...params }: Static<typeof CreateAnyOwnToken>,
): Promise<NewAccessToken> {
  if (!isBrowser(context, caller)) await confirmOwner(context, caller, current_password);
  return createAccessToken(context, caller, { ...params, user_id: caller.user.id });
}

/**
 * Throws unless the caller knows the password of the account: whoever has found a token or an open browser does not. A user
 * without a password needs a browser that signed in.
 */
export async function confirmOwner(
  context: Context,
  caller: SignedInCaller,
  password: string | undefined,
): Promise<void> {
  const { password_digest: digest } = getUser(context.store, caller.user.id);
  if (digest !== null) {
    context.get(SignIns).count(caller.user.username, caller.ipAddress);
    if (!(await fitsPassword(password ?? "", digest))) throw invalid({ current_password: ["is invalid"] });
  } else if (!isBrowser(context, caller)) {
    throw forbidden("Only a browser that signed in without a token may do this");
  }
}

/** A session that was made of a token has the rights of the token, and makes no other. */
function isBrowser({ store }: Context, { session }: SignedInCaller): boolean {
  return session !== undefined && store.of(sessions).get(session.id)?.token_id === null;
}
