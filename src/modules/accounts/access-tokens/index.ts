import { deletedWithUser } from "../../core/users/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { accessTokenOperations } from "./operations.ts";
import { impersonationTokenOperations } from "./operations-impersonation.ts";
import { accessTokens } from "./records.ts";

export { presentAccessToken, type presentNewAccessToken } from "./present.ts";
export { type AccessTokenRecord, accessTokens } from "./records.ts";
export {
  findAccessToken,
  generateToken,
  getOwnAccessToken,
  insertAccessToken,
  insertRootAccessToken,
  invalidToken,
  isActive,
  isExpired,
  recordTokenUse,
} from "./service.ts";
export { revokeFamily } from "./service-rotation.ts";

export const accessTokensModule = defineModule({
  name: "access-tokens",
  operations: {
    "Personal access tokens": accessTokenOperations,
    "Impersonation tokens": impersonationTokenOperations,
  },
  collections: [accessTokens],
  on: [deletedWithUser(accessTokens)],
});
