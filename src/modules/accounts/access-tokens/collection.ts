import type { Scope } from "../../../domain/scopes.ts";
import type { CalendarDate, DateTime } from "../../../lib/datetime.ts";
import { bitmap, collection, multi, ordered, unique } from "../../../store/index.ts";

/** An access token (users-and-auth 17). The token itself is nowhere: only its SHA-256 is kept. */
export interface AccessTokenRecord {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly user_id: number;
  readonly scopes: readonly Scope[];
  /** The first token of those that were made from each other by rotation; left out in that one itself. */
  readonly family_id?: number;
  readonly impersonation: boolean;
  readonly revoked: boolean;
  readonly expires_at: CalendarDate | null;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
  readonly last_used_at: DateTime | null;
  readonly last_used_ips: readonly string[];
  /** SHA-256 of the token, in hexadecimal digits. */
  readonly digest: string;
}

export const accessTokens = collection<AccessTokenRecord>()("personal-access-tokens", {
  digest: unique((token) => token.digest),
  user_id: multi((token) => [token.user_id]),
  family_id: multi((token) => [familyOf(token)]),
  flag: bitmap((token) => [...(token.impersonation ? ["impersonation"] : []), ...(token.revoked ? ["revoked"] : [])]),
  id: ordered((token) => token.id),
  name: ordered((token) => token.name.toLowerCase()),
  created_at: ordered((token) => token.created_at),
  last_used_at: ordered((token) => token.last_used_at ?? ""),
  expires_at: ordered((token) => token.expires_at ?? neverExpires),
});

export function familyOf(token: AccessTokenRecord): number {
  return token.family_id ?? token.id;
}

/** Sorts behind every day. */
export const neverExpires = "9999-99-99";
