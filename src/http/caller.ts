import { bearerOf, passwordOf } from "../domain/authorization.ts";
import type { Caller, CallerUser } from "../domain/caller.ts";
import { toCalendarDate } from "../domain/datetime.ts";
import { includesTier } from "../domain/edition.ts";
import { Failure, forbidden, notFound, unauthenticated } from "../domain/failure.ts";
import type { Scope } from "../domain/scopes.ts";
import type { Context } from "../modules/context.ts";
import type { Operation } from "../modules/operation.ts";
import {
  type AccessTokenRecord,
  findAccessToken,
  invalidToken,
  isExpired,
  noteTokenUse,
  revokeFamily,
} from "../modules/personal-access-tokens/index.ts";
import { findUser, findUserByUsername, noteActivity, type UserRecord } from "../modules/users/index.ts";
import type { Exchange } from "./exchange.ts";
import { ownValue, type RawValues } from "./values.ts";

/**
 * Credentials → who is asking (users-and-auth 1 and 2). Throws 401 for a bad token even where none is needed, 403
 * for the state of its owner, a scope that is too small, or sudo without the right to it.
 */
export function identifyCaller(context: Context, exchange: Exchange, values: RawValues, operation: Operation): Caller {
  const given = tokenOf(exchange.request, values, operation);
  const sudo = textOf(values, "sudo") ?? exchange.request.headers.get("sudo") ?? "";
  if (given === undefined) {
    if (sudo !== "") throw unauthenticated();
    return anonymous(exchange);
  }
  const { token, owner } = acceptCredentials(context, exchange, operation, given);
  const now = context.clock.now();
  if (context.features.isEnabled("token_use_notes", { type: "User", id: owner.id })) {
    noteTokenUse(context.store, token, now, exchange.ipAddress);
  }
  noteActivity(context.store, owner, toCalendarDate(now));
  exchange.userId = owner.id;
  const confirm = () => {
    const { owner: ownerNow } = acceptCredentials(context, exchange, operation, given);
    if (ownerNow.is_admin !== owner.is_admin) throw forbidden();
  };
  // What acts on the token itself asks for its scope whoever is impersonated.
  if (sudo === "" || operation.detectsTokenReuse === true) checkScope(operation, token.scopes);
  const user = sudo === "" ? owner : impersonated(context, owner, token, sudo);
  return callerOf(inEdition(context, user), token, exchange, confirm);
}

/** A token as sent → its record and owner. Throws for what keeps either from being let in at this moment. */
function acceptCredentials(
  context: Context,
  exchange: Exchange,
  operation: Operation,
  given: string,
): { token: AccessTokenRecord; owner: UserRecord } {
  const token = findAccessToken(context.store, given);
  if (token === undefined) throw unauthenticated();
  if (token.revoked && operation.detectsTokenReuse === true) revokeFamily(context, token, exchange.ipAddress());
  if (token.revoked) throw invalidToken("Token was revoked. You have to re-authorize from the user.");
  if (isExpired(token, context.clock.now())) {
    throw invalidToken("Token is expired. You can either do re-authorization or token refresh.");
  }
  const owner = findUser(context.store, token.user_id);
  if (owner === undefined) throw unauthenticated();
  refuseState(owner, exchange.baseUrl);
  return { token, owner };
}

/** Whether header or query carry a token that somebody has: who has none may send only a small body. */
export function hasKnownToken(context: Context, request: Request, query: RawValues, operation: Operation): boolean {
  const given = tokenOf(request, query, operation);
  return given !== undefined && findAccessToken(context.store, given) !== undefined;
}

/** Somebody who did not say who they are. */
export function anonymous(exchange: Exchange): Caller {
  return {
    user: undefined,
    token: undefined,
    sent: exchange,
    get ipAddress() {
      return exchange.ipAddress();
    },
  };
}

/** Auditors are sold: where the edition has none, those that another one made are users like others (users-and-auth 7). */
function inEdition({ edition }: Context, user: UserRecord): CallerUser {
  return user.is_auditor && !includesTier(edition, "premium") ? { ...user, is_auditor: false } : user;
}

function callerOf(user: CallerUser, token: AccessTokenRecord, exchange: Exchange, confirm: () => void): Caller {
  return {
    user,
    token,
    confirm,
    sent: exchange,
    get ipAddress() {
      return exchange.ipAddress();
    },
  };
}

/** The first place that holds one decides alone (users-and-auth 1.1). */
function tokenOf({ headers }: Request, values: RawValues, { basicRealm }: Operation): string | undefined {
  const authorization = headers.get("authorization");
  return (
    textOf(values, "private_token") ??
    (headers.get("private-token") || bearerOf(authorization)) ??
    (basicRealm === undefined ? undefined : passwordOf(authorization)) ??
    textOf(values, "access_token")
  );
}

/** An empty text counts as absent. What is no text is given all the same: it must not fall through to a later place. */
function textOf(values: RawValues, name: string): string | undefined {
  const value = ownValue(values, name);
  if (value === undefined || value === null || value === "") return undefined;
  return typeof value === "object" ? noText : String(value);
}

/** Neither a token nor a username. */
const noText = "(no text)";

function refuseState({ state, user_type }: UserRecord, baseUrl: string): void {
  if (user_type === "ghost" || user_type === "alert_bot" || user_type === "support_bot") {
    throw forbidden("This action cannot be performed by internal users");
  }
  switch (state) {
    case "active":
      return;
    case "blocked_pending_approval":
      throw forbidden("Your account is pending approval from your administrator and hence blocked.");
    case "deactivated":
      throw forbidden(
        `Your account has been deactivated by your administrator. Please log back in from a web browser to reactivate your account at ${baseUrl}`,
      );
    default:
      throw forbidden("Your account has been blocked.");
  }
}

/** Scopes that do beside those an operation names itself. */
export function acceptedScopes({ method, scopes }: Operation): readonly Scope[] | "any" {
  if (scopes === "any") return "any";
  const general: Scope[] = method === "GET" ? ["api", "read_api"] : ["api"];
  return [...general, ...(scopes ?? [])];
}

function checkScope(operation: Operation, held: readonly Scope[]): void {
  const accepted = acceptedScopes(operation);
  if (accepted === "any" || accepted.some((scope) => held.includes(scope))) return;
  throw insufficientScope(accepted.join(" "));
}

function insufficientScope(scope: string): Failure {
  return new Failure("insufficient_scope", {
    error: "insufficient_scope",
    error_description: "The request requires higher privileges than provided by the access token.",
    scope,
  });
}

/** The user that an administrator acts as; the operation's own scopes are not looked at then (users-and-auth 2). */
function impersonated(context: Context, owner: UserRecord, token: AccessTokenRecord, sudo: string): UserRecord {
  if (!owner.is_admin) throw forbidden("Must be admin to use sudo");
  if (!token.scopes.includes("sudo")) throw insufficientScope("sudo");
  const target = /^\d+$/.test(sudo) ? findUser(context.store, Number(sudo)) : findUserByUsername(context.store, sudo);
  if (target === undefined) throw notFound(`User with ID or username '${sudo}'`);
  return target;
}
