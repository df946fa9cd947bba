import type { Static } from "@sinclair/typebox";
import type { View } from "../../kernel/view.ts";
import type { AccessTokenRecord } from "./records.ts";
import type { AccessToken } from "./schema.ts";
import { isActive, type NewAccessToken } from "./service.ts";

/** users-and-auth 17, as lists show it. */
export function presentAccessToken(
  token: AccessTokenRecord,
  { context }: Pick<View, "context">,
): Static<typeof AccessToken> {
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
export function presentAccessTokenDetails(token: AccessTokenRecord, view: View): Static<typeof AccessToken> {
  return { ...presentAccessToken(token, view), last_used_ips: token.last_used_ips };
}

/** The only answer that holds the token itself. */
export function presentNewAccessToken({ record, token }: NewAccessToken, view: View): Static<typeof AccessToken> {
  return { ...presentAccessToken(record, view), token };
}
