import { recordEvents } from "../../kernel/record-events.ts";
import { type AccessTokenRecord, accessTokens } from "./records.ts";

/** Events about access tokens. A revocation is an update; a use is none. */
export const accessTokenEvents = recordEvents<AccessTokenRecord>("access-token", accessTokens);
