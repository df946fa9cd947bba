import type { Caller, SentRequest } from "../../../domain/caller.ts";
import { insufficientScope, unauthenticated } from "../../../domain/failure.ts";
import { fitsPassword } from "../../../domain/password.ts";
import type { Scope } from "../../../domain/scopes.ts";
import { findUser, findUserByLogin, requireUsableState, type UserRecord } from "../../core/users/index.ts";
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
  { login, password, token, code }: GivenCredentials,
): Promise<BrowserSession> {
  const { ipAddress, sent } = caller;
  context.get(SignIns).count(login, ipAddress);
  const from = { ipAddress, userAgent: sent.request.headers.get("user-agent") ?? "" };
  const start = (way: SignInWay, user: UserRecord, also: Partial<SignIn> = {}, work?: StartWork) => {
    requireUsableState(user, sent.baseUrl);
    return context.store.transact((tx) => {
      work?.(tx);
      recordSignInEvent(tx, context, caller, { user, way });
      return startSession(tx, context, { ...from, token: undefined, user, ...also });
    });
  };
  if (login !== undefined && password !== undefined) {
    const user = await findUserOfPassword(context, login, password);
    if (user !== undefined) return start("password", user);
    recordFailedSignIn(context, caller, login);
    throw unauthenticated();
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
  return start("sign-in code", user, {}, (tx) => tx.remove(signInCodes, record.id));
}

type StartWork = (tx: Parameters<typeof startSession>[0]) => void;

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
