import type { Caller, SentRequest } from "../../../domain/caller.ts";
import { forbidden, insufficientScope, invalid, unauthenticated } from "../../../domain/failure.ts";
import { fitsPassword, hashPassword } from "../../../domain/password.ts";
import type { Scope } from "../../../domain/scopes.ts";
import {
  findUser,
  findUserByLogin,
  isPasswordExpired,
  requireGoodPassword,
  requireUsableState,
  updateOwnPassword,
} from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";
import { findAccessToken, isActive } from "../access-tokens/index.ts";
import { recordFailedSignIn, recordSignInEvent, type SignInWay } from "./audit.ts";
import { signInCodes } from "./records.ts";
import { type BrowserSession, type SignIn, startSession } from "./service.ts";
import { findSignInCode } from "./service-sign-in-codes.ts";
import { SignIns } from "./sign-in-rate.ts";

/** A session has the scopes of its token: with none of these it could read nothing, but would show who the user is. */
const usableScopes: readonly Scope[] = ["api", "read_api", "read_user"];

/** Credentials as a person gives them: login and password, an access token, or a code. */
export interface GivenCredentials {
  /** Username or primary address. */
  readonly login?: string | undefined;
  readonly password?: string | undefined;
  /** The password that replaces one that an administrator chose. */
  readonly new_password?: string | undefined;
  readonly token?: string | undefined;
  readonly code?: string | undefined;
}

/**
 * Signs a user in (console 1). Throws 401 for credentials that do not fit, 403 for the state of a user whose do and for the scopes of a token, 429
 * for too many attempts.
 */
export async function signIn(
  context: Context,
  caller: Caller & { readonly sent: SentRequest },
  { login, password, new_password, token, code }: GivenCredentials,
): Promise<BrowserSession> {
  const { ipAddress, sent } = caller;
  context.get(SignIns).count(login, ipAddress);
  const from = { ipAddress, userAgent: sent.request.headers.get("user-agent") ?? "" };
  const start = (way: SignInWay, user: UserRecord, also: Partial<SignIn> = {}, work: StartWork = () => user) => {
    requireUsableState(user, sent.baseUrl);
    return context.store.transact((tx) => {
      const signedIn = work(tx);
      recordSignInEvent(tx, context, caller, { user, way });
      return startSession(tx, context, { ...from, token: undefined, ...also, user: signedIn });
    });
  };
  if (login !== undefined && password !== undefined) {
    const user = await findUserOfPassword(context, login, password);
    if (user === undefined) {
      recordFailedSignIn(context, caller, login);
      throw unauthenticated();
    }
    requireUsableState(user, sent.baseUrl);
    if (!isPasswordExpired(user, context.clock.now())) return start("password", user);
    const digest = await digestOfNext(context, password, new_password);
    // While the new password was hashed, the old one may have been replaced.
    const now = findUser(context.store, user.id);
    if (now?.password_digest !== user.password_digest) throw unauthenticated();
    return start("password", now, {}, (tx) => updateOwnPassword(tx, context, { ...caller, user: now }, now, digest));
  }
  if (token !== undefined) {
    const record = findAccessToken(context.store, token);
    if (record === undefined || !isActive(record, context.clock.now())) throw unauthenticated();
    if (!record.scopes.some((scope) => usableScopes.includes(scope))) throw insufficientScope(usableScopes.join(" "));
    return start("access token", findUser(context.store, record.user_id) ?? unknown(), { token: record });
  }
  const record = code === undefined ? undefined : findSignInCode(context, code);
  if (record === undefined) throw unauthenticated();
  const user = findUser(context.store, record.user_id) ?? unknown();
  return start("sign-in code", user, {}, (tx) => {
    tx.remove(signInCodes, record.id);
    return user;
  });
}

/** Work in the transaction of the sign-in. Returns the user after it. */
type StartWork = (tx: Parameters<typeof startSession>[0]) => UserRecord;

/** The digest of the password that replaces an expired one. Throws 403 without one, and 400 for one that is no good. */
async function digestOfNext(context: Context, password: string, next: string | undefined): Promise<string> {
  if (next === undefined) throw forbidden("Your password has expired. Send another one as new_password");
  requireGoodPassword(next);
  if (next === password) throw invalid({ password: ["is the one that has expired"] });
  return hashPassword(next, context.passwordLife);
}

async function findUserOfPassword(context: Context, login: string, password: string): Promise<UserRecord | undefined> {
  const digest = findUserByLogin(context.store, login)?.password_digest ?? null;
  if (!(await fitsPassword(password, digest))) return undefined;
  // While the password was checked, the user may have been deleted or got another one.
  const user = findUserByLogin(context.store, login);
  return user?.password_digest === digest ? user : undefined;
}

function unknown(): never {
  throw unauthenticated();
}
