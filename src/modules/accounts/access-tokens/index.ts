import { deletedWithUser } from "../../core/users/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { accessTokenEvents, accessTokenExpiryAnnounced } from "./events.ts";
import { accessTokenExpiry } from "./expiry.ts";
import { accessTokens } from "./records.ts";

export { accessTokenEvents, accessTokenExpiryAnnounced, type ExpiringToken } from "./events.ts";
export { presentAccessToken, presentNewAccessToken } from "./present.ts";
export { AccessToken } from "./schema.ts";
export {
  createAccessToken,
  findAccessToken,
  generateToken,
  getOwnAccessToken,
  insertAccessToken,
  insertRootAccessToken,
  invalidToken,
  isActive,
  isExpired,
  type NewAccessToken,
  recordTokenUse,
} from "./service.ts";
export { revokeFamily } from "./service-rotation.ts";

export const accessTokensModule = defineModule({
  name: "access-tokens",
  about: {
    "Personal access tokens": "Tokens with which users call the API.",
    "Impersonation tokens": "Tokens with which administrators act as another user.",
  },
  areas: ["personal_access_tokens", "user", "users"],
  operations: async () => {
    const [{ accessTokenOperations }, { impersonationTokenOperations }] = await Promise.all([
      import("./operations.ts"),
      import("./operations-impersonation.ts"),
    ]);
    return {
      "Personal access tokens": accessTokenOperations,
      "Impersonation tokens": impersonationTokenOperations,
    };
  },
  samples: async () => (await import("./samples.ts")).accessTokenSamples,
  collections: [accessTokens],
  events: [...accessTokenEvents.all, accessTokenExpiryAnnounced],
  cron: [accessTokenExpiry],
  on: [deletedWithUser(accessTokens)],
});
