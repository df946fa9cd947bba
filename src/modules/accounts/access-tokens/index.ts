import { deletedWithUser } from "../../core/users/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { impersonationTokenOperations } from "./impersonation-operations.ts";
import { accessTokenOperations } from "./operations.ts";
import { accessTokens } from "./records.ts";

export { tokensOf } from "./list.ts";
export { presentAccessToken, presentNewAccessToken } from "./present.ts";
export { type AccessTokenRecord, accessTokens } from "./records.ts";
export { revokeFamily, rotateToken } from "./rotation.ts";
export {
  createAccessToken,
  createRootAccessToken,
  findAccessToken,
  generateToken,
  getOwnAccessToken,
  insertAccessToken,
  invalidToken,
  isActive,
  isExpired,
  type NewAccessToken,
  noteTokenUse,
  revokeToken,
} from "./service.ts";

export const accessTokensModule = defineModule({
  name: "access-tokens",
  operations: {
    "Personal access tokens": accessTokenOperations,
    "Impersonation tokens": impersonationTokenOperations,
  },
  collections: [accessTokens],
  on: [deletedWithUser(accessTokens)],
});
