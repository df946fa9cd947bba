import { scopes } from "../../../domain/scopes.ts";
import { bitmap, collection, field, multi, ordered, type RecordOf, record, unique } from "../../../store/index.ts";

/** An access token (users-and-auth 17). Only the SHA-256 of the token is stored. */
export const AccessTokenRecord = record({
  id: field.whole,
  name: field.text,
  description: field.nullable(field.text),
  user_id: field.whole,
  scopes: field.listOf(field.oneOf(...scopes)),
  /** The first token of those that were made from each other by rotation; left out in that one itself. */
  family_id: field.optional(field.whole),
  impersonation: field.flag,
  revoked: field.flag,
  expires_at: field.nullable(field.day),
  /** The days before its end at which it was announced last; left out before the first. */
  announced_days: field.optional(field.whole),
  created_at: field.moment,
  updated_at: field.moment,
  last_used_at: field.nullable(field.moment),
  last_used_ips: field.listOf(field.text),
  /** SHA-256 of the token, in hexadecimal digits. */
  digest: field.text,
});
export type AccessTokenRecord = RecordOf<typeof AccessTokenRecord>;

export const accessTokens = collection("personal-access-tokens", AccessTokenRecord, {
  indexes: {
    digest: unique((token) => token.digest),
    user_id: multi((token) => [token.user_id]),
    family_id: multi((token) => [familyOf(token)]),
    flag: bitmap((token) => [...(token.impersonation ? ["impersonation"] : []), ...(token.revoked ? ["revoked"] : [])]),
    id: ordered((token) => token.id),
    name: ordered((token) => token.name.toLowerCase()),
    created_at: ordered((token) => token.created_at),
    last_used_at: ordered((token) => token.last_used_at ?? ""),
    expires_at: ordered((token) => token.expires_at ?? neverExpires),
  },
  secrets: { digest: "renew" },
  references: { user_id: "users" },
});

export function familyOf(token: AccessTokenRecord): number {
  return token.family_id ?? token.id;
}

/** Sorts behind every day. */
export const neverExpires = "9999-99-99";
