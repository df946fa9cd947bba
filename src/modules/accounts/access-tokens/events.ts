import { domainEvent } from "../../kernel/event.ts";
import { recordEvents } from "../../kernel/record-events.ts";
import { type AccessTokenRecord, accessTokens } from "./records.ts";

/** Events about access tokens. A revocation is an update; a use is none. */
export const accessTokenEvents = recordEvents<AccessTokenRecord>("access-token", accessTokens);

/** Days before its end at which a token is announced, the farthest first. */
export const announcedDays = [7, 1] as const;

export interface ExpiringToken {
  readonly token: AccessTokenRecord;
  /** It expires within so many days. */
  readonly days: (typeof announcedDays)[number];
}

/** Published once for each token and number of days. */
export const accessTokenExpiryAnnounced = domainEvent<ExpiringToken>("access-token-expiry-announced");
