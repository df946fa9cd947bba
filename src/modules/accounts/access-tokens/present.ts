import type { Context } from "../../kernel/context.ts";
import type { AccessTokenRecord } from "./records.ts";
import { isActive, type NewAccessToken } from "./service.ts";

/** users-and-auth 17, as lists show it. */
export function presentAccessToken(context: Context, token: AccessTokenRecord) {
  return {
    id: token.id,
    name: token.name,
    revoked: token.revoked,
    created_at: token.created_at,
    description: token.description,
    scopes: token.scopes,
    user_id: token.user_id,
    last_used_at: token.last_used_at,
    active: isActive(token, context.clock.now()),
    expires_at: token.expires_at,
    ...(token.impersonation ? { impersonation: true } : {}),
  };
}

/** A single token also says where it was used from. */
export function presentAccessTokenDetails(context: Context, token: AccessTokenRecord) {
  return { ...presentAccessToken(context, token), last_used_ips: token.last_used_ips };
}

/** The only answer that holds the token itself. */
export function presentNewAccessToken(context: Context, { record, token }: NewAccessToken) {
  return { ...presentAccessToken(context, record), token };
}
