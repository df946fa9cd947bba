import type { Static } from "@sinclair/typebox";
import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import {
  Failure,
  invalid,
  notFound,
  requireUnmodified,
  unauthenticated,
  unprocessable,
} from "../../../domain/failure.ts";
import { type Scope, scopes } from "../../../domain/scopes.ts";
import { type CalendarDate, type DateTime, dayMs, toCalendarDate, toDateTime } from "../../../lib/datetime.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import { digestOf } from "../../../lib/token-digest.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { recordAuditEvent } from "../../core/audit-events/index.ts";
import { getUser } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";
import { insertRecord, updateRecord } from "../../kernel/record-events.ts";
import { accessTokenEvents } from "./events.ts";
import { type AccessTokenRecord, accessTokens } from "./records.ts";
import type { CreateAccessToken } from "./schema.ts";

/** A record, and its token, which is shown once and not stored. */
export interface NewAccessToken {
  readonly record: AccessTokenRecord;
  readonly token: string;
}

const longestLifeDays = 365;
const tokenPrefix = "opx-";
const tokenRandomLength = 20;

/** The record that a token as sent by a client belongs to, whatever its state. */
export function findAccessToken(store: Store, token: string): AccessTokenRecord | undefined {
  const documents = store.of(accessTokens);
  const id = documents.by.digest.find(digestOf(token));
  return id === undefined ? undefined : documents.get(id);
}

/** Whether the token works. It expires in the morning of its `expires_at` (UTC). */
export function isActive(token: AccessTokenRecord, now: number): boolean {
  return !token.revoked && !isExpired(token, now);
}

export function isExpired(token: AccessTokenRecord, now: number): boolean {
  return token.expires_at !== null && token.expires_at <= toCalendarDate(now);
}

/** Throws what `GET /personal_access_tokens/:id` answers: 401 for others' and unknown ids, 404 for administrators. */
export function getAccessToken(store: Store, caller: SignedInCaller, id: number): AccessTokenRecord {
  const token = store.of(accessTokens).get(id);
  if (caller.user.is_admin) {
    if (token === undefined) throw notFound();
    return token;
  }
  if (token === undefined || token.user_id !== caller.user.id || token.impersonation) throw unauthenticated();
  return token;
}

/** The token that this request was made with. */
export function getOwnAccessToken(store: Store, caller: SignedInCaller): AccessTokenRecord {
  const token = caller.token === undefined ? undefined : store.of(accessTokens).get(caller.token.id);
  if (token === undefined) {
    throw invalid("400 Bad request - This endpoint requires token type to be a personal access token");
  }
  return token;
}

/** `POST /users/:user_id/personal_access_tokens`. Throws 404 for the user, 422 for scopes and expiry. */
export function createAccessToken(
  context: Context,
  caller: Caller,
  params: Static<typeof CreateAccessToken>,
  { impersonation = false } = {},
): NewAccessToken {
  const user = getUser(context.store, params.user_id);
  if (!user.is_admin && params.scopes.some((scope) => scope === "sudo" || scope === "admin_mode")) {
    throw (impersonation ? refusedImpersonation : refusedToken)("scopes", "can only contain available scopes");
  }
  return create(context, caller, user, { ...params, impersonation, defaultLifeDays: longestLifeDays });
}

/** `POST /user/personal_access_tokens`: expires tomorrow unless it is said otherwise. */
export function createOwnAccessToken(
  context: Context,
  caller: SignedInCaller,
  params: Omit<Static<typeof CreateAccessToken>, "user_id">,
): NewAccessToken {
  return create(context, caller, getUser(context.store, caller.user.id), { ...params, defaultLifeDays: 1 });
}

/** The first token of a new store: every scope, and no expiry (users-and-auth 1.3). */
export function insertRootAccessToken(
  tx: Transaction,
  context: Context,
  caller: Caller,
  user: UserRecord,
  token: string,
): AccessTokenRecord {
  return insertAccessToken(tx, context, caller, user, token, {
    name: "Initial token of root",
    scopes,
    description: null,
    expires_at: null,
  });
}

/** A token of Outpost's own form, easy to recognise in a leak. */
export function generateToken(context: Pick<Context, "randomness">): string {
  return `${tokenPrefix}${context.randomness.token(tokenRandomLength)}`;
}

/** `DELETE /personal_access_tokens/:id`. Throws 404 for an unknown id, 400 for one that is not the caller's to revoke. */
export function revokeAccessToken(
  context: Context,
  caller: SignedInCaller,
  id: number,
  unmodifiedSince?: DateTime,
): void {
  const token = context.store.of(accessTokens).get(id);
  if (token === undefined) throw notFound();
  const isOwn = token.user_id === caller.user.id && !token.impersonation;
  if (!isOwn && !caller.user.is_admin) throw invalid("400 Bad request");
  requireUnmodified(token, unmodifiedSince);
  if (token.revoked) return;
  context.store.transact((tx) => revokeInTransaction(tx, context, caller, token));
}

export function revokeInTransaction(tx: Transaction, context: Context, caller: Caller, token: AccessTokenRecord): void {
  const updated_at = toDateTime(context.clock.now());
  updateRecord(tx, context, caller, accessTokenEvents, { ...token, revoked: true, updated_at });
  const owner = getUser(context.store, token.user_id);
  recordTokenEvent(tx, context, caller, owner, token, "personal_access_token_revoked", "Revoked");
}

/** The last day that a token made now may live to. */
export function latestExpiry(now: number): CalendarDate {
  return toCalendarDate(now + longestLifeDays * dayMs);
}

const useNotedEveryMs = 60_000;

/** Notes when and from where a token was used, lazily and at most once a minute. */
export function recordTokenUse(
  store: Store,
  token: AccessTokenRecord,
  now: number,
  ipAddress: () => string | null,
): void {
  if (token.last_used_at !== null && now - Date.parse(token.last_used_at) < useNotedEveryMs) return;
  const ip = ipAddress();
  const known = token.last_used_ips;
  const ips = ip === null || known.includes(ip) ? known : [ip, ...known].slice(0, 5);
  store.touch(accessTokens, { ...token, last_used_at: toDateTime(now), last_used_ips: ips });
}

interface NewTokenAttributes {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly description?: string | null;
  readonly expires_at?: string | null;
  readonly impersonation?: boolean;
  readonly family_id?: number;
}

const tooLong = "is too long (maximum is 255 characters)";

type Attribute = "scopes" | "name" | "description" | "expires_at";

function refusedToken(attribute: Attribute, problem: string): Failure {
  const named = attribute.charAt(0).toUpperCase() + attribute.slice(1).replace("_", " ");
  return unprocessable(`${named} ${problem}`);
}

function refusedImpersonation(attribute: Attribute, problem: string): Failure {
  return invalid({ [attribute]: [problem] });
}

function create(
  context: Context,
  caller: Caller,
  user: UserRecord,
  { defaultLifeDays, ...params }: NewTokenAttributes & { defaultLifeDays: number },
): NewAccessToken {
  const refused = params.impersonation === true ? refusedImpersonation : refusedToken;
  if (params.scopes.length === 0) throw refused("scopes", "can't be blank");
  if (params.name.trim() === "") throw refused("name", "can't be blank");
  if (exceedsLength(params.name, 255)) throw refused("name", tooLong);
  if (exceedsLength(params.description, 255)) throw refused("description", tooLong);
  const now = context.clock.now();
  const latest = latestExpiry(now);
  const expiresAt = params.expires_at ?? toCalendarDate(now + defaultLifeDays * dayMs);
  if (expiresAt > latest) throw refused("expires_at", `must be before ${latest}`);
  const token = generateToken(context);
  const attributes = { ...params, scopes: [...new Set(params.scopes)], expires_at: expiresAt };
  const record = context.store.transact((tx) => insertAccessToken(tx, context, caller, user, token, attributes));
  return { record, token };
}

export function insertAccessToken(
  tx: Transaction,
  context: Context,
  caller: Caller,
  user: UserRecord,
  token: string,
  attributes: NewTokenAttributes,
): AccessTokenRecord {
  const now = toDateTime(context.clock.now());
  const record = insertRecord(tx, context, caller, accessTokenEvents, {
    id: tx.nextId("personal_access_tokens"),
    name: attributes.name,
    description: attributes.description ?? null,
    user_id: user.id,
    scopes: attributes.scopes,
    ...(attributes.family_id === undefined ? {} : { family_id: attributes.family_id }),
    impersonation: attributes.impersonation ?? false,
    revoked: false,
    expires_at: attributes.expires_at ?? null,
    created_at: now,
    updated_at: now,
    last_used_at: null,
    last_used_ips: [],
    digest: digestOf(token),
  });
  recordTokenEvent(tx, context, caller, user, record, "personal_access_token_created", "Created");
  return record;
}

function recordTokenEvent(
  tx: Transaction,
  context: Context,
  caller: Caller,
  owner: UserRecord,
  token: AccessTokenRecord,
  event: string,
  verb: string,
): void {
  recordAuditEvent(tx, context, caller, {
    event,
    entity: { type: "User", id: owner.id, path: owner.username },
    target: { type: "PersonalAccessToken", id: token.id, details: token.name },
    act: { custom_message: `${verb} personal access token with id ${token.id}` },
  });
}

/** Thrown for a token that was good once (users-and-auth 1.2). */
export function invalidToken(description: string): Failure {
  return new Failure("invalid_token", { error: "invalid_token", error_description: description });
}
