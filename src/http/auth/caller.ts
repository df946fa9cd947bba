import type { Caller, CallerJob, CallerUser } from "../../domain/caller.ts";
import { includesTier } from "../../domain/edition.ts";
import { Failure, forbidden, insufficientScope, notFound, unauthenticated } from "../../domain/failure.ts";
import type { Scope } from "../../domain/scopes.ts";
import { toCalendarDate } from "../../lib/datetime.ts";
import {
  findAccessToken,
  invalidToken,
  isActive,
  isExpired,
  recordTokenUse,
  revokeFamily,
} from "../../modules/accounts/access-tokens/index.ts";
import type { AccessTokenRecord } from "../../modules/accounts/access-tokens/records.ts";
import { findSession, recordSessionUse, requireOwnPage } from "../../modules/accounts/sessions/index.ts";
import type { SessionRecord } from "../../modules/accounts/sessions/records.ts";
import { Features } from "../../modules/admin/feature-flags/index.ts";
import { findRunningJob } from "../../modules/ci/pipelines/index.ts";
import { findUser, findUserByUsername, recordActivity, requireUsableState } from "../../modules/core/users/index.ts";
import { isInternal, type UserRecord } from "../../modules/core/users/records.ts";
import type { Context } from "../../modules/kernel/context.ts";
import type { Operation } from "../../modules/kernel/operation.ts";
import type { RequestContext } from "../entry/request-context.ts";
import type { RawValues } from "../params/values.ts";
import { type Credentials, credentialsOf, textParameter } from "./credentials.ts";

/**
 * Returns the caller for the credentials (users-and-auth 1 and 2, job-token-scope 5). Throws 401 for a bad token, even on
 * public operations, and 403 for the state of its owner, an insufficient scope, or a forbidden sudo.
 */
export function identifyCaller(
  context: Context,
  requestContext: RequestContext,
  values: RawValues,
  operation: Operation,
): Caller {
  const given = credentialsOf(requestContext.request, values, operation);
  const sudo = textParameter(values, "sudo") ?? requestContext.request.headers.get("sudo") ?? "";
  const accepted = given === undefined ? undefined : acceptCredentials(context, requestContext, operation, given);
  if (given === undefined || accepted === undefined) {
    if (sudo !== "") throw unauthenticated();
    return anonymous(requestContext);
  }
  const { token, job, session, owner } = accepted;
  const now = context.clock.now();
  if (session !== undefined) recordSessionUse(context.store, session, now);
  else if (
    token !== undefined &&
    context.get(Features).isEnabled("token_usage_tracking", { type: "User", id: owner.id })
  ) {
    recordTokenUse(context.store, token, now, () => requestContext.ipAddress());
  }
  recordActivity(context.store, owner, toCalendarDate(now));
  requestContext.userId = owner.id;
  const confirm = () => {
    const ownerNow = acceptCredentials(context, requestContext, operation, given)?.owner;
    if (ownerNow?.is_admin !== owner.is_admin) throw forbidden();
  };
  // An operation on the token itself requires its scope, even with sudo.
  if (token !== undefined && (sudo === "" || operation.http?.detectsTokenReuse === true)) {
    checkScope(operation, token.scopes);
  }
  const user = sudo === "" ? owner : impersonated(context, owner, token, sudo);
  return callerOf(inEdition(context, user), { token, job, session }, requestContext, confirm);
}

/** Accepted credentials: a token, a job or a session, possibly one made from a token. */
interface Accepted {
  readonly token: AccessTokenRecord | undefined;
  readonly job: CallerJob | undefined;
  readonly session: SessionRecord | undefined;
  readonly owner: UserRecord;
}

/**
 * Checks the credentials. Throws if they are not valid now. Returns undefined for the token of a running job where the
 * operation accepts none, and for an expired session.
 */
function acceptCredentials(
  context: Context,
  requestContext: RequestContext,
  operation: Operation,
  given: Credentials,
): Accepted | undefined {
  if (given.kind === "session") return acceptSession(context, requestContext, given.secret);
  const token = given.kind === "job" ? undefined : findAccessToken(context.store, given.secret);
  if (token === undefined)
    return given.kind === "access" ? unknown() : acceptJob(context, requestContext, operation, given);
  if (token.revoked && operation.http?.detectsTokenReuse === true)
    revokeFamily(context, token, requestContext.ipAddress());
  if (token.revoked) throw invalidToken("Token was revoked. You have to re-authorize from the user.");
  if (isExpired(token, context.clock.now())) {
    throw invalidToken("Token is expired. You can either do re-authorization or token refresh.");
  }
  const owner = findUser(context.store, token.user_id) ?? unknown();
  requireUsableState(owner, requestContext.baseUrl);
  return { token, job: undefined, session: undefined, owner };
}

/**
 * Returns the session of a cookie. An expired one counts as absent, since a browser keeps sending it. Throws 403 for a
 * forged request.
 */
function acceptSession(context: Context, requestContext: RequestContext, secret: string): Accepted | undefined {
  const found = context.console === undefined ? undefined : findSession(context, secret);
  if (found === undefined) return undefined;
  if (!isReading(requestContext.request)) requireOwnPage(requestContext, secret);
  return { token: found.token, job: undefined, session: found.record, owner: found.user };
}

function isReading({ method }: Request): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

function acceptJob(
  context: Context,
  requestContext: RequestContext,
  { takesJobToken, who, method }: Operation,
  { secret }: Credentials,
): Accepted | undefined {
  const job = findRunningJob(context, secret) ?? unknown();
  const asksFor = who === "job" ? "job" : takesJobToken;
  if (asksFor === undefined || asksFor === "itself") return undefined;
  const owner = findUser(context.store, job.user_id) ?? unknown();
  requireUsableState(owner, requestContext.baseUrl);
  const called = { id: job.id, projectId: job.project_id, asksFor, isReading: method === "GET" };
  return { token: undefined, job: called, session: undefined, owner };
}

function unknown(): never {
  throw unauthenticated();
}

/** True when the headers or the query have a valid token. Without one, the server reads only a small body. */
export function hasGoodToken(context: Context, request: Request, query: RawValues, operation: Operation): boolean {
  if (operation.takesJobToken === "itself") {
    return isJobToken(context, request.headers.get("job-token") || textParameter(query, "token"));
  }
  const given = credentialsOf(request, query, operation);
  if (given === undefined) return false;
  if (given.kind === "session")
    return context.console !== undefined && findSession(context, given.secret) !== undefined;
  if (given.kind !== "job" && isAccessToken(context, given.secret)) return true;
  return given.kind !== "access" && isJobToken(context, given.secret);
}

function isAccessToken({ store, clock }: Context, secret: string): boolean {
  const token = findAccessToken(store, secret);
  return token !== undefined && isActive(token, clock.now()) && mayAct(findUser(store, token.user_id));
}

function isJobToken(context: Context, secret: string | undefined): boolean {
  const job = secret === undefined ? undefined : findRunningJob(context, secret);
  return job !== undefined && mayAct(findUser(context.store, job.user_id));
}

/** Returns a caller without credentials. */
export function anonymous(requestContext: RequestContext): Caller {
  return {
    user: undefined,
    token: undefined,
    job: undefined,
    sent: requestContext,
    get ipAddress() {
      return requestContext.ipAddress();
    },
  };
}

/**
 * Returns the user. The auditor role needs the premium edition: in lower ones, auditors are ordinary users (users-and-auth
 * 7).
 */
function inEdition({ edition }: Context, user: UserRecord): CallerUser {
  return user.is_auditor && !includesTier(edition, "premium") ? { ...user, is_auditor: false } : user;
}

function callerOf(
  user: CallerUser,
  { token, job, session }: Pick<Accepted, "token" | "job" | "session">,
  requestContext: RequestContext,
  confirm: () => void,
): Caller {
  return {
    user,
    token,
    job,
    session,
    confirm,
    sent: requestContext,
    get ipAddress() {
      return requestContext.ipAddress();
    },
  };
}

function mayAct(user: UserRecord | undefined): boolean {
  return user?.state === "active" && !isInternal(user);
}

/** Returns the accepted scopes, including those that every operation accepts. */
export function acceptedScopes({ method, scopes }: Operation): readonly Scope[] | "any" {
  if (scopes === "any") return "any";
  const general: Scope[] = method === "GET" ? ["api", "read_api"] : ["api"];
  return [...general, ...(scopes ?? [])];
}

function checkScope(operation: Operation, held: readonly Scope[]): void {
  const accepted = acceptedScopes(operation);
  if (accepted === "any" || accepted.some((scope) => held.includes(scope))) return;
  const text = operation.http?.insufficientScopeText;
  if (text !== undefined) throw new Failure("insufficient_scope", { message: text }, { isPlainText: true });
  throw insufficientScope(accepted.join(" "));
}

/** Returns the user that an administrator impersonates. The operation's own scopes do not matter then (users-and-auth 2). */
function impersonated(
  context: Context,
  owner: UserRecord,
  token: AccessTokenRecord | undefined,
  sudo: string,
): UserRecord {
  if (!owner.is_admin) throw forbidden("Must be admin to use sudo");
  if (token === undefined) {
    throw forbidden("Must be authenticated using an OAuth or Personal Access Token to use sudo");
  }
  if (!token.scopes.includes("sudo")) throw insufficientScope("sudo");
  const target = /^\d+$/.test(sudo) ? findUser(context.store, Number(sudo)) : findUserByUsername(context.store, sudo);
  if (target === undefined) throw notFound(`User with ID or username '${sudo}'`);
  return target;
}
