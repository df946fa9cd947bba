import { timingSafeEqual } from "node:crypto";
import type { SentRequest, SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, notFound } from "../../../domain/failure.ts";
import { type DateTime, dayMs, toDateTime } from "../../../lib/datetime.ts";
import { digestOf } from "../../../lib/token-digest.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { findUser, recordSignIn } from "../../core/users/index.ts";
import { isInternal, type UserRecord } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";
import { isActive } from "../access-tokens/index.ts";
import { type AccessTokenRecord, accessTokens } from "../access-tokens/records.ts";
import { csrfTokenOf, isOwnOrigin, sessionCookieOf } from "./cookie.ts";
import { type SessionRecord, sessions } from "./records.ts";

/** A session that has not ended. */
export interface LiveSession {
  readonly record: SessionRecord;
  readonly user: UserRecord;
  /** undefined: it was not made of one. */
  readonly token: AccessTokenRecord | undefined;
}

/** A session as its browser knows it. */
export interface BrowserSession extends LiveSession {
  /** The value of the cookie. */
  readonly secret: string;
}

/** The user who signs in, and the credentials. */
export interface SignIn {
  readonly user: UserRecord;
  readonly token: AccessTokenRecord | undefined;
  readonly userAgent: string;
  readonly ipAddress: string | null;
}

/** Letters and digits that carry 256 random bits. */
const secretLength = 43;
const idleMsMax = dayMs / 2;
const lifeMs = 7 * dayMs;
const useNotedEveryMs = 60_000;
const userAgentLengthMax = 255;

/** Starts a session in the transaction that accepted the credentials. */
export function startSession(
  tx: Transaction,
  context: Context,
  { user, token, userAgent, ipAddress }: SignIn,
): BrowserSession {
  const { clock, randomness } = context;
  const now = toDateTime(clock.now());
  const secret = randomness.token(secretLength);
  const signedIn = recordSignIn(tx, user, now);
  const record = tx.insert(sessions, {
    id: tx.nextId("sessions"),
    user_id: user.id,
    token_id: token?.id ?? null,
    sessions_ended: user.sessions_ended ?? 0,
    user_agent: userAgent.slice(0, userAgentLengthMax),
    ip_address: ipAddress,
    created_at: now,
    last_used_at: now,
    digest: digestOf(secret),
  });
  return { record, user: signedIn, token, secret };
}

/** The live session of a cookie's value. */
export function findSession(context: Context, secret: string): LiveSession | undefined {
  const documents = context.store.of(sessions);
  const id = documents.by.digest.find(digestOf(secret));
  const record = id === undefined ? undefined : documents.get(id);
  return record === undefined ? undefined : liveSession(context, record);
}

/** The live session of a request's cookie, and the cookie's value. */
export function sessionOf(context: Context, { request }: SentRequest): BrowserSession | undefined {
  const secret = sessionCookieOf(request.headers.get("cookie"));
  const found = secret === undefined ? undefined : findSession(context, secret);
  return secret === undefined || found === undefined ? undefined : { ...found, secret };
}

/** undefined for a session that has ended: by its time, or with its user's state, password or token. */
export function liveSession({ store, clock }: Context, record: SessionRecord): LiveSession | undefined {
  if (Date.parse(endOf(record)) <= clock.now()) return undefined;
  const user = findUser(store, record.user_id);
  if (user === undefined || user.state !== "active" || isInternal(user)) return undefined;
  if ((user.sessions_ended ?? 0) !== record.sessions_ended) return undefined;
  if (record.token_id === null) return { record, user, token: undefined };
  const token = store.of(accessTokens).get(record.token_id);
  return token !== undefined && isActive(token, clock.now()) ? { record, user, token } : undefined;
}

/** Returns the end of the session if it is not used again. */
export function endOf({ created_at, last_used_at }: SessionRecord): DateTime {
  return toDateTime(Math.min(Date.parse(created_at) + lifeMs, Date.parse(last_used_at) + idleMsMax));
}

/** Notes the use lazily and at most once a minute: a request with a cookie costs no write. */
export function recordSessionUse(store: Store, record: SessionRecord, now: number): void {
  if (now - Date.parse(record.last_used_at) < useNotedEveryMs) return;
  store.touch(sessions, { ...record, last_used_at: toDateTime(now) });
}

/** Throws 403 for a request that changes something and may come from a page of another origin (console 1). */
export function requireOwnPage({ request, baseUrl }: SentRequest, secret: string): void {
  requireOwnOrigin({ request, baseUrl });
  const sent = Buffer.from(request.headers.get("x-csrf-token") ?? "");
  const expected = Buffer.from(csrfTokenOf(secret));
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) throw invalidCsrfToken();
}

/** Throws 403 for a request of a page of another origin. */
export function requireOwnOrigin({ request: { headers }, baseUrl }: SentRequest): void {
  if (!isOwnOrigin(headers.get("origin"), headers.get("host"), baseUrl)) throw invalidCsrfToken();
}

/** The sessions of one user that have not ended, newest first. */
export function liveSessionsOf(context: Context, userId: number): LiveSession[] {
  const documents = context.store.of(sessions);
  return [...documents.by.user_id.find(userId)]
    .map((id) => documents.get(id))
    .filter((record) => record !== undefined)
    .map((record) => liveSession(context, record))
    .filter((session) => session !== undefined)
    .sort((one, other) => other.record.id - one.record.id);
}

/** Ends a session of the caller; administrators may end any. Throws 404 for one that the caller cannot see. */
export function endSession(context: Context, caller: SignedInCaller, id: number): void {
  const record = context.store.of(sessions).get(id);
  if (record === undefined) throw notFound("Session");
  if (record.user_id !== caller.user.id && !caller.user.is_admin) throw notFound("Session");
  deleteSession(context, record);
}

export function deleteSession({ store }: Context, { id }: SessionRecord): void {
  store.transact((tx) => tx.remove(sessions, id));
}

function invalidCsrfToken() {
  return forbidden("Invalid CSRF token");
}
