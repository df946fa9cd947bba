import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { invalid, unauthenticated } from "../../../domain/failure.ts";
import { dayMs, toCalendarDate } from "../../../lib/datetime.ts";
import { getUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type AccessTokenRecord, accessTokens, familyOf } from "./records.ts";
import {
  generateToken,
  getAccessToken,
  getOwnAccessToken,
  insertAccessToken,
  latestExpiry,
  type NewAccessToken,
  revokeInTransaction,
} from "./service.ts";

const defaultLifeDays = 7;

/**
 * `POST /personal_access_tokens/:id/rotate`: a new token in the place of an old one, which is revoked. Throws what
 * reading the token throws, and 400 for a token that is revoked already or an end too far away.
 */
export function rotateAccessToken(
  context: Context,
  caller: SignedInCaller,
  id: number,
  expiresAt: string | null | undefined,
): NewAccessToken {
  return rotateToken(context, caller, getAccessToken(context.store, caller, id), expiresAt);
}

/** `POST /personal_access_tokens/self/rotate`, with the token itself. */
export function rotateOwnAccessToken(
  context: Context,
  caller: SignedInCaller,
  expiresAt: string | null | undefined,
): NewAccessToken {
  const token = getOwnAccessToken(context.store, caller);
  // With sudo, the token is not the impersonated user's to rotate.
  if (token.user_id !== caller.user.id) throw unauthenticated();
  return rotateToken(context, caller, token, expiresAt);
}

/** A token that was rotated away is used: the holder of its successors may be a thief (users-and-auth 17). */
export function revokeFamily(context: Context, reused: AccessTokenRecord, ipAddress: string | null): void {
  const documents = context.store.of(accessTokens);
  let newestId = 0;
  for (const id of documents.by.family_id.find(familyOf(reused))) newestId = Math.max(newestId, id);
  const newest = documents.get(newestId);
  if (newest === undefined || newest.revoked) return;
  const anonymous: Caller = { user: undefined, token: undefined, ipAddress };
  context.store.transact((tx) => revokeInTransaction(tx, context, anonymous, newest));
}

function rotateToken(
  context: Context,
  caller: Caller,
  old: AccessTokenRecord,
  given: string | null | undefined,
): NewAccessToken {
  if (old.revoked) throw invalid("400 Bad request - Token already revoked");
  const now = context.clock.now();
  const expires_at = given ?? toCalendarDate(now + defaultLifeDays * dayMs);
  const latest = latestExpiry(now);
  if (expires_at > latest) throw invalid(`400 Bad request - Expires at must be before ${latest}`);
  const user = getUser(context.store, old.user_id);
  const token = generateToken(context);
  const { name, description, scopes, impersonation } = old;
  const attributes = { name, description, scopes, impersonation, expires_at, family_id: familyOf(old) };
  const record = context.store.transact((tx) => {
    revokeInTransaction(tx, context, caller, old);
    return insertAccessToken(tx, context, caller, user, token, attributes);
  });
  return { record, token };
}
